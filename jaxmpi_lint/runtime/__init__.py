"""The runtime sanitizer: switched on by ``JAXMPI_SANITIZE=1``, it watches what every rank communicates."""

from __future__ import annotations

import sys


def is_active() -> bool:
    """Whether the calls of this process are being checked: switched on, MPI initialised and not yet finalised."""
    native = sys.modules.get("jaxmpi_lint.runtime._native")
    return native is not None and bool(native.phase() == "active")


class paused:  # noqa: N801  # a context manager reads as a function does
    """Neither record nor compare this thread's calls inside; all ranks of a communicator must agree on it."""

    def __enter__(self) -> None:
        """Stop."""
        self._stopped = is_active()
        if self._stopped:
            sys.modules["jaxmpi_lint.runtime._native"].pause()

    def __exit__(self, *reason: object) -> None:
        """Go on."""
        if self._stopped:
            sys.modules["jaxmpi_lint.runtime._native"].resume()
