"""The end of a Python program, told to the others: the traceback of what it raised."""

from __future__ import annotations

import atexit
import os
import sys
from types import TracebackType

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.environment import say

PAST_US = "NOT CHECKED: MPI was called past the interposers, as ctypes does"
FAILED = 1  # exit status of an interpreter that ends by an exception


def watch() -> None:
    """Tell the ledger of an unhandled exception as soon as it is known."""
    process = os.getpid()
    previous = sys.excepthook
    told: list[BaseException] = []

    def tell(value: BaseException) -> None:
        if os.getpid() != process or value in told or isinstance(value, SystemExit):
            return
        import traceback

        told.append(value)
        _native.farewell("".join(traceback.format_exception(value)), True, FAILED)

    def hook(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        try:
            tell(value)
        finally:
            previous(kind, value, trace)

    def at_exit() -> None:
        # A program may have put a hook of its own in place of ours.
        value = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        if value is not None:
            tell(value)
        if os.getpid() == process and _native.phase() == "loaded" and _native.initialised():
            say(PAST_US)

    sys.excepthook = hook
    atexit.register(at_exit)
