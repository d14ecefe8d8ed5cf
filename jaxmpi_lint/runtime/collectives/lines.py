"""Source lines of operations for the sanitizer, if it is active."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from jaxmpi_lint.runtime.process import backend
from jaxmpi_lint.runtime.settings.environment import say


def is_watched() -> bool:
    """Whether the sanitizer checks the MPI calls of this process."""
    activation = getattr(sys.modules.get("jaxmpi_lint.runtime.activation"), "ACTIVATION", None)
    return activation is not None and activation.watching


def relayed(handler: Any) -> Any:
    """The handler, wrapped to record which operation runs if the sanitizer is active."""
    if not is_watched():
        return handler
    from jaxmpi_lint.runtime import _native
    from jaxmpi_lint.runtime.process import compiled_calls

    if not compiled_calls.watch():
        compiled_calls.tell("this JAX version starts compiled functions in an unknown way")
    return _native.relayed(handler) or handler


def name(context: Any, operation: str, token: Any, arguments: Callable[[], Any]) -> None:
    """Attach the source line, and the arguments of the MPI call, to the call that returned ``token``."""
    if not is_watched():
        return
    from jaxmpi_lint.runtime.process import mpi4jax_operations

    try:
        mpi4jax_operations.mark(context, token.owner, f"{_library()}.{operation}", arguments())
    except Exception as error:
        _tell(f"{type(error).__name__}: {error}")


def _library() -> str:
    """The name under which the program imported the operations."""
    spec = getattr(sys.modules.get(backend.NAME), "__spec__", None)
    return backend.NAME if isinstance(getattr(spec, "loader", None), backend.Stand) else "collectives"


@cache
def _tell(reason: str) -> None:
    say(f"not available: source lines of operations of jaxmpi_lint.runtime.collectives ({reason})")
