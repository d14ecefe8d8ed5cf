"""Names that the operations need of JAX and that another version of it keeps elsewhere; some are private to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from types import ModuleType

from jaxmpi_lint.runtime.collectives.building import Unavailable


@contextmanager
def told() -> Iterator[None]:
    """Unavailable where a name is not found in JAX; what is wrong elsewhere passes, and so does a missing package."""
    try:
        yield
    except (ImportError, AttributeError) as error:
        if not is_of_jax(error):
            raise
        reason = str(error).partition(" (")[0]
        raise Unavailable(
            f"jax {version('jax')} does not have what the collectives core takes from it ({reason}); "
            "install a version that docs/collectives.md names, or a newer jaxmpi-lint"
        ) from None


def is_of_jax(error: ImportError | AttributeError) -> bool:
    """Whether a name was looked for inside of JAX and not found."""
    where = error.name if isinstance(error, ImportError) else _home(error.obj)
    return bool(where) and (str(where).startswith("jax.") or (where == "jax" and not _is_missing(error)))


def _is_missing(error: Exception) -> bool:
    return isinstance(error, ModuleNotFoundError)


def _home(thing: object) -> str:
    """The module of a module, a class or an object."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    return str(getattr(thing if isinstance(thing, type) else type(thing), "__module__", ""))
