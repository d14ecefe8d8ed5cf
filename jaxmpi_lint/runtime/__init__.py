"""The runtime sanitizer: switched on by ``JAXMPI_SANITIZE=1``, it watches what every rank communicates."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


def is_active() -> bool:
    """Whether the calls of this process are being checked: switched on, MPI initialised and not yet finalised."""
    native = sys.modules.get("jaxmpi_lint.runtime._native")
    return native is not None and native.phase() == "active"


@contextmanager
def paused() -> Iterator[None]:
    """Neither record nor compare this thread's calls inside; all ranks of a communicator must agree on it."""
    if not is_active():
        yield
        return
    native = sys.modules["jaxmpi_lint.runtime._native"]
    native.pause()
    try:
        yield
    finally:
        native.resume()
