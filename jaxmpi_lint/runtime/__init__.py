"""The runtime sanitizer: ``JAXMPI_SANITIZE=1`` makes it check the communication of every rank."""

from __future__ import annotations

import sys


def is_active() -> bool:
    """Whether this process is being checked: its MPI calls (MPI initialised and not yet finalised) or JAX launches."""
    native = sys.modules.get("jaxmpi_lint.runtime._native")
    return native is not None and bool(native.phase() == "active" or native.launches_checked())


class paused:  # noqa: N801  # a context manager reads as a function does
    """Neither record nor compare this thread's MPI calls in the block; use it on all ranks of a communicator."""

    def __enter__(self) -> None:
        """Stop checking this thread."""
        native = sys.modules.get("jaxmpi_lint.runtime._native")
        self._stopped = native is not None and bool(native.phase() == "active")
        if self._stopped:
            sys.modules["jaxmpi_lint.runtime._native"].pause()

    def __exit__(self, *reason: object) -> None:
        """Continue checking this thread."""
        if self._stopped:
            sys.modules["jaxmpi_lint.runtime._native"].resume()
