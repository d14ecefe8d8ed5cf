"""The runtime sanitizer: switched on by ``JAXMPI_SANITIZE=1``, it watches what every rank communicates."""

from __future__ import annotations

import sys


def is_active() -> bool:
    """Whether this process is being checked: its MPI calls (MPI initialised and not yet finalised) or JAX launches."""
    native = sys.modules.get("jaxmpi_lint.runtime._native")
    return native is not None and bool(native.phase() == "active" or native.launches_checked())


class paused:  # noqa: N801  # a context manager reads as a function does
    """Neither record nor compare this thread's MPI calls inside; all ranks of a communicator must agree on it."""

    def __enter__(self) -> None:
        """Stop."""
        native = sys.modules.get("jaxmpi_lint.runtime._native")
        self._stopped = native is not None and bool(native.phase() == "active")
        if self._stopped:
            sys.modules["jaxmpi_lint.runtime._native"].pause()

    def __exit__(self, *reason: object) -> None:
        """Go on."""
        if self._stopped:
            sys.modules["jaxmpi_lint.runtime._native"].resume()
