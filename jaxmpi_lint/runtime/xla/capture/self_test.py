"""A self-test: launches of a small program must give as many records under the installed JAX."""

from __future__ import annotations

import threading
from typing import Any

LAUNCHES = 3  # on each path
PATIENCE = 60.0  # seconds


class CountedHook:
    """Stands in for the layout of an array, and counts the queries."""

    def __init__(self, counter: Counter, layout: object) -> None:
        self.counter = counter
        self.layout = layout

    def ask(self, _dtype: object) -> object:
        """Count a query and return the layout."""
        self.counter.asked += 1
        return self.layout


class Counter:
    """Stands in for the ledger while launches are counted."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.began = 0  # launches from Python
        self.asked = 0  # launches on the fast path

    def mine(self) -> bool:
        """Whether the calling thread runs the self-test."""
        return threading.get_ident() == self.thread

    def begin(self) -> None:
        """Count a launch from Python."""
        self.began += 1

    def hook(self, layout: object) -> CountedHook:
        """The counting stand-in for a layout."""
        return CountedHook(self, layout)


def problem(hooks: Any) -> str:
    """Why launches are not recorded; "" if they are.

    Runs in a separate thread, where no mesh, transfer guard or other context of the program is active.
    """
    answer: list[str] = []
    thread = threading.Thread(target=lambda: answer.append(_count(hooks)), name="jaxmpi-proof", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return answer[0] if answer else f"the self-test took more than {PATIENCE:.0f} s"


def _count(hooks: Any) -> str:
    import jax
    import numpy as np

    counter = Counter()
    hooks.counter = counter
    try:
        with jax.disable_jit(False), jax.transfer_guard("allow"), jax.log_compiles(False):
            array = jax.device_put(np.float32(1), jax.local_devices()[0])
            _launch(jax.jit(lambda value: value + 1), array)
            seen = (counter.began, counter.asked)
            _launch(jax.jit(lambda value: value - 1).lower(array).compile(), array)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        hooks.counter = None
    ahead = counter.began - seen[0]
    if (sum(seen), ahead) != (LAUNCHES, LAUNCHES):
        return f"recorded {sum(seen)} and {ahead} of {LAUNCHES} launches"
    return ""


def _launch(function: Any, array: Any) -> None:
    for _ in range(LAUNCHES):
        function(array)
