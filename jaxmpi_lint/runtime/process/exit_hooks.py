"""The end of a Python program: the traceback of its exception, recorded for the report."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from types import TracebackType

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.settings.environment import say

PAST_US = (
    "NOT CHECKED: MPI calls bypassed the interposers through addresses that were looked up before they were loaded;"
    " set JAXMPI_SANITIZE before Python starts, and import mpi4py.MPI first"
)
FAILED = 1  # exit status of an interpreter that ends by an exception


Tell = Callable[[str], None]


def watch() -> None:
    """Record an unhandled exception in the ledger of the ranks as soon as it is known."""
    process = os.getpid()

    def past_us() -> None:
        if os.getpid() == process and _native.phase() == "loaded" and _native.initialised():
            say(PAST_US)

    watch_exceptions(lambda traceback: _native.farewell(traceback, True, FAILED))
    watch_exits(lambda traceback, status: _native.farewell(traceback, False, status))
    atexit.register(past_us)


def watch_exits(told: Callable[[str, int], None]) -> None:
    """Call `told` with stack and exit status if this process ends by `sys.exit` or an unhandled SystemExit."""
    process = os.getpid()
    stack: list[str] = []

    def made() -> None:
        import traceback

        stack[:] = traceback.format_stack(sys._getframe(1))

    def ended(code: object) -> None:
        if os.getpid() == process:
            status = code & 0xFF if isinstance(code, int) else FAILED if code is not None else 0
            told(f"Traceback (most recent call last):\n{''.join(stack)}SystemExit: {_shown(code)}\n", status)

    _native.watch_system_exit(made, ended)


def _shown(code: object) -> str:
    return "" if code is None else repr(code) if isinstance(code, int | str) else type(code).__name__


def watch_launches() -> None:
    """The same for the ledger of JAX's launches."""
    watch_exceptions(_native.farewell_to_launches)


def watch_exceptions(told: Tell) -> None:
    """Call `told` with the traceback of an exception that ends this process."""
    process = os.getpid()
    previous = sys.excepthook
    known: list[BaseException] = []

    def tell(value: BaseException) -> None:
        if os.getpid() != process or value in known or isinstance(value, SystemExit):
            return
        import traceback

        known.append(value)
        told("".join(traceback.format_exception(value)))

    def hook(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        try:
            tell(value)
        finally:
            previous(kind, value, trace)

    def at_exit() -> None:
        # A program may have replaced our hook.
        value = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        if value is not None:
            tell(value)

    sys.excepthook = hook
    atexit.register(at_exit)
