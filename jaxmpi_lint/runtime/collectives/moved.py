"""Errors for names of JAX, some of them private, that the installed version does not have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from types import ModuleType

from jaxmpi_lint.runtime.collectives.building import Unavailable


@contextmanager
def told() -> Iterator[None]:
    """Raise Unavailable if a name is missing in JAX; other errors, and missing packages, are left alone."""
    try:
        yield
    except (ImportError, AttributeError) as error:
        if not is_of_jax(error):
            raise
        reason = str(error).partition(" (")[0]
        raise Unavailable(
            f"jax {version('jax')} lacks a name that jaxmpi_lint.runtime.collectives needs ({reason}); "
            "install a version listed in docs/collectives.md, or a newer jaxmpi-lint"
        ) from None


def is_of_jax(error: ImportError | AttributeError) -> bool:
    """Whether a name was missing in JAX."""
    where = error.name if isinstance(error, ImportError) else _home(error.obj)
    return bool(where) and (str(where).startswith("jax.") or (where == "jax" and not _is_missing(error)))


def _is_missing(error: Exception) -> bool:
    return isinstance(error, ModuleNotFoundError)


def _home(thing: object) -> str:
    """The module of a module, a class or an object."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    return str(getattr(thing if isinstance(thing, type) else type(thing), "__module__", ""))
