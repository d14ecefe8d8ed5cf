"""Look-up of calls by dotted name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.library import (
    clients_table,
    jax_table,
    mpi4jax_table,
    mpi4py_communicators,
    mpi4py_objects,
    orbax_flax_table,
)
from jaxmpi_lint.library import transforms as transforms_table
from jaxmpi_lint.library.aliases import ALIASES
from jaxmpi_lint.library.constants import Constant, constant
from jaxmpi_lint.library.constants_table import TYPES
from jaxmpi_lint.library.model import Operation, Transform
from jaxmpi_lint.library.names import AMBIGUOUS_METHODS, COMMUNICATOR_CLASSES, MPI4PY_BASES
from jaxmpi_lint.library.rows import Row, operation, transform
from jaxmpi_lint.library.wrappers import wrapped

if TYPE_CHECKING:
    from jaxmpi_lint.settings.settings import Wrapper

_MPI = "mpi4py.MPI."
_PETSC_COMMUNICATOR = "petsc4py.PETSc.Comm"
_TABLES = (
    mpi4py_communicators.ROWS,
    mpi4py_objects.ROWS,
    mpi4jax_table.ROWS,
    jax_table.ROWS,
    orbax_flax_table.ROWS,
    clients_table.ROWS,
)


class Catalogue:
    """The library tables for the releases that a project targets.

    A library of unknown release is represented by the union of its releases; mpi4jax by its newest, and names that
    exist only in older releases are still found. ``wrappers`` are user-defined functions, searched first; ``traced``
    are further dotted names whose first argument is traced.
    """

    def __init__(
        self,
        targets: Mapping[str, tuple[int, ...]] | None = None,
        wrappers: Iterable[Wrapper] = (),
        traced: Iterable[str] = (),
    ) -> None:
        self._targets = dict(targets or {})
        self._rows: dict[str, tuple[Row, ...]] = {}
        for table in _TABLES:
            self._rows.update(table)
        self._traced = frozenset(traced)
        self._operations: dict[str, tuple[Operation, ...]] = {}
        self._found: dict[str, tuple[Operation, ...]] = {}
        self._canonical: dict[str, str] = {}
        self._methods: dict[str, tuple[Operation, ...]] = {}
        self._transforms: dict[str, Transform | None] = {}
        for wrapper in wrappers:
            operations = self.function(wrapper.operation)
            self._found[wrapper.name] = tuple(wrapped(wrapper, target) for target in operations)

    def canonical(self, dotted: str) -> str:
        """The name under which the tables know a callable: definitions, aliases and inherited methods are resolved."""
        found = self._canonical.get(dotted)
        if found is None:
            found = self._canonical[dotted] = self._resolved(dotted)
        return found

    def _resolved(self, dotted: str) -> str:
        name = _resolve_alias(dotted)
        if name in self._rows or not name.startswith(_MPI):
            return name
        owner, dot, method = name.removeprefix(_MPI).partition(".")
        owner = TYPES.get(owner, owner)
        for base in (owner, *MPI4PY_BASES.get(owner, ())) if dot else ():
            inherited = f"{_MPI}{base}.{method}"
            if inherited in self._rows:
                return inherited
        return name

    def function(self, dotted: str) -> tuple[Operation, ...]:
        """The possible operations of a call of ``dotted`` under the target releases; empty for unknown names."""
        found = self._found.get(dotted)
        if found is None:
            found = self._found[dotted] = self._admitted(self.history(dotted))
        return found

    def history(self, dotted: str) -> tuple[Operation, ...]:
        """All entries of a name, for all releases, oldest first."""
        name = self.canonical(dotted)
        found = self._operations.get(name)
        if found is None:
            found = self._operations[name] = tuple(operation(name, row) for row in self._rows.get(name, ()))
        return found

    def communicator_method(self, name: str) -> tuple[Operation, ...]:
        """The possible operations of ``.name`` of a communicator of unknown class: those of all classes."""
        found = self._methods.get(name)
        if found is None:
            candidates = (*(f"{_MPI}{owner}.{name}" for owner in COMMUNICATOR_CLASSES), f"{_PETSC_COMMUNICATOR}.{name}")
            entries = [entry for dotted in candidates if dotted in self._rows for entry in self.function(dotted)]
            found = self._methods[name] = tuple(entries)
        return found

    def has_class(self, dotted: str) -> bool:
        """Whether the tables have methods of a class of this name."""
        return self.canonical(dotted) in self._owners

    def class_made_by(self, dotted: str) -> str | None:
        """The class of the object that a call of ``dotted`` returns, if the tables name one or have its methods."""
        made = next((operation.makes for operation in self.function(dotted)[-1:]), None)
        own = dotted.rpartition(".")[2][:1].isupper() and self.has_class(dotted)
        return made if made is not None or not own else self.canonical(dotted)

    def is_on_communicator(self, dotted: str) -> bool:
        """Whether all objects of a class have a communicator."""
        return self.canonical(dotted) in self._made

    @cached_property
    def _made(self) -> frozenset[str | None]:
        return frozenset(operation(name, rows[-1]).makes for name, rows in clients_table.ROWS.items())

    @cached_property
    def _owners(self) -> frozenset[str]:
        """The parts before the last dot of the names in the tables."""
        parts = (name.split(".") for name in self._rows)
        return frozenset(".".join(part[:count]) for part in parts for count in range(1, len(part)))

    def unmistakable(self, name: str) -> bool:
        """Whether only communicators have a method of this name, so that its use is evidence of MPI."""
        return name[:1].isupper() and name not in AMBIGUOUS_METHODS and bool(self.communicator_method(name))

    def transform(self, dotted: str) -> Transform | None:
        """How ``dotted`` runs the functions passed to it, or None if it is not a tracing transform."""
        if dotted not in self._transforms:
            self._transforms[dotted] = self._transform(dotted)
        return self._transforms[dotted]

    def _transform(self, dotted: str) -> Transform | None:
        name = _resolve_alias(dotted)
        if name in self._traced or dotted in self._traced:
            return transform(dotted, ("stage", "function:0", ""))
        rows = transforms_table.ROWS.get(name, ())
        return transform(name, rows[-1]) if rows else None

    def constant(self, dotted: str) -> Constant | None:
        """A constant of a library (``mpi4py.MPI.PROC_NULL``), or None."""
        return constant(_resolve_alias(dotted))

    def starts_backend(self, dotted: str) -> bool:
        """Whether a call of ``dotted`` starts the JAX backend; ``jax.distributed`` cannot be initialized after it."""
        name = _resolve_alias(dotted)
        if name in jax_table.BACKEND_FREE or name.startswith(tuple(jax_table.BACKEND_FREE_MODULES)):
            return False
        return name in jax_table.BACKEND or name.startswith(tuple(jax_table.BACKEND_MODULES))

    @property
    def operation_names(self) -> frozenset[str]:
        """Every canonical name of the tables, for all releases."""
        return frozenset(self._rows)

    def release(self, package: str) -> tuple[int, ...] | None:
        """The release of a library that is the target, None if it is not known."""
        return self._targets.get(package)

    def _admitted(self, entries: tuple[Operation, ...]) -> tuple[Operation, ...]:
        if not entries or entries[0].versions is None:
            return entries
        package = entries[0].library
        version = self._targets.get(package)
        admitted = tuple(entry for entry in entries if entry.versions is None or entry.versions.admit(version))
        if package == "mpi4jax" and version is None:
            newest = tuple(entry for entry in entries if entry.versions is None or entry.versions.before is None)
            return newest or entries[-1:]
        return admitted


@cache
def _resolve_alias(dotted: str) -> str:
    """Replace the longest known alias at the front of a dotted name, repeatedly until none is left."""
    for _ in range(4):
        head, tail = dotted, ""
        while head and head not in ALIASES:
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        if not head:
            return dotted
        dotted = ALIASES[head] + tail
    return dotted
