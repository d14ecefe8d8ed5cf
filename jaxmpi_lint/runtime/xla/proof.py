"""Proof that launches are seen by the JAX that is there: so many launches of a small program, so many records."""

from __future__ import annotations

import threading
from typing import Any

LAUNCHES = 3  # by each way
PATIENCE = 60.0  # seconds


class CountedHook:
    """Answers for the layout of an array, and counts."""

    def __init__(self, counter: Counter, layout: object) -> None:
        self.counter = counter
        self.layout = layout

    def ask(self, _dtype: object) -> object:
        """The layout."""
        self.counter.asked += 1
        return self.layout


class Counter:
    """Stands for the ledger while launches are counted."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.began = 0  # seen by Python
        self.asked = 0  # seen past Python

    def mine(self) -> bool:
        """Whether the calling thread is the one that counts."""
        return threading.get_ident() == self.thread

    def begin(self) -> None:
        """A launch."""
        self.began += 1

    def hook(self, layout: object) -> CountedHook:
        """What answers for a layout."""
        return CountedHook(self, layout)


def problem(hooks: Any) -> str:
    """Why launches are not seen; "" if they are.

    In a thread of its own, where the program has no mesh, no guard and no other context around the call.
    """
    answer: list[str] = []
    thread = threading.Thread(target=lambda: answer.append(_count(hooks)), name="jaxmpi-proof", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return answer[0] if answer else f"no answer within {PATIENCE:.0f} s"


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
        return f"{sum(seen)} and {ahead} of {LAUNCHES} launches"
    return ""


def _launch(function: Any, array: Any) -> None:
    for _ in range(LAUNCHES):
        function(array)
