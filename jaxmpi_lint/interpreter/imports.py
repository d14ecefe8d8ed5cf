"""Imports: of modules of the project, which are run, and of libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.values import ModuleValue, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def run_import(rank: Rank, frame: Frame, step: ir.Import) -> Running:
    """Bind the names of an import; modules of the project are run first."""
    for name in step.names:
        if name.bound == "*":
            yield from _import_star(rank, frame, name.target)
            continue
        value = yield from imported(rank, frame.scope.module.ir, name.target)
        frame.scope.names[name.bound] = value
    return None


_LIBRARIES = frozenset({"mpi4py", "mpi4jax", "jax", "jaxlib", "numpy"})
"""Names of libraries, in their own repositories too."""


def imported(rank: Rank, importer: ir.Module, target: str) -> Running:
    """What an import of a dotted name binds; a module of the project is run first."""
    if target.partition(".")[0] in _LIBRARIES:
        return rank.models.constant(rank, target)
    for path in rank.program.files_before(importer, target):
        yield from rank.run_module(path, path.name)
    found, rest = rank.program.locate(importer, target)
    if found is None:
        dotted = target.lstrip(".")
        return rank.models.constant(rank, dotted) if dotted == target else rank.symbol("import", target)
    value: Value = yield from rank.run_module(found, found.name)
    for part in rest.split(".") if rest else ():
        value = rank.module_attribute(value, part) if isinstance(value, ModuleValue) else rank.symbol("global", part)
    return value


def _import_star(rank: Rank, frame: Frame, target: str) -> Running:
    found, rest = rank.program.locate(frame.scope.module.ir, target)
    if found is None or rest:
        if target.startswith("mpi4py"):
            frame.scope.names["MPI"] = rank.models.constant(rank, "mpi4py.MPI")
        else:
            names = frame.scope.module.scope.names
            names["*star"] = (*names.get("*star", ()), target)
        return None
    module = yield from rank.run_module(found, found.name)
    names = {name: value for name, value in module.scope.names.items() if not name.startswith("_")}
    frame.scope.names.update(names)
    return None
