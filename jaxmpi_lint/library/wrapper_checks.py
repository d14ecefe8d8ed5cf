"""What is wrong with the wrappers of the settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.errors import UserError, did_you_mean

if TYPE_CHECKING:
    from jaxmpi_lint.library.catalogue import Catalogue
    from jaxmpi_lint.settings.settings import Wrapper


def check(wrappers: Iterable[Wrapper], catalogue: Catalogue) -> None:
    """Refuse a wrapper of an operation that the tables do not have, or with a root where the operation has none."""
    for wrapper in wrappers:
        where = f"{wrapper.origin}: {wrapper.name}"
        operations = catalogue.history(wrapper.operation)
        if not operations:
            raise UserError(
                f"{where}: operation: unknown operation {wrapper.operation!r}; {_nearest(wrapper.operation, catalogue)}"
                "expected a function or method of a library, such as mpi4py.MPI.Comm.allreduce"
            )
        if wrapper.root is not None and not any(operation.root for operation in operations):
            raise UserError(f"{where}: root: {wrapper.operation} has no root; remove the key")


def wrong_parameters(wrapper: Wrapper, positional: tuple[str, ...], names: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with the parameters of a wrapper whose function has these, a line each."""
    for part in ("communicator", "root", "value"):
        place = getattr(wrapper, part)
        where = f"{wrapper.origin}: {wrapper.name}: {part}"
        if isinstance(place, int) and place >= len(positional):
            yield f"{where}: the function has no parameter {place}; expected a position from 0 to {len(positional) - 1}"
        elif isinstance(place, str) and place not in names:
            hint = f"{did_you_mean(place, names)}it has {', '.join(names) or 'none'}"
            yield f"{where}: the function has no parameter `{place}`; {hint}"


def _nearest(name: str, catalogue: Catalogue) -> str:
    """A question for the operation that is probably meant: by its whole name, or by its last part."""
    known = catalogue.operation_names
    last = name.rpartition(".")[2]
    same = [other for other in known if other.rpartition(".")[2].lower() == last.lower()]
    best = min(same, key=lambda o: (not o.endswith(last), not o.startswith("mpi4py"), len(o), o), default=None)
    return did_you_mean(name, known, 0.8) or (f"did you mean `{best}`? " if best else "")
