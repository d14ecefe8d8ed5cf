"""Where ranks begin: scripts, and functions of libraries that no program of the project calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.interpreter.program import Program

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that is run as a program, or the qualified name of a function in it that is called after its import.

    ``communicators`` are the parameters of the function that hold a communicator.
    """

    module: ir.Module
    function: str = ""
    communicators: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.module.path


def entries(program: Program) -> Iterator[Entry]:
    """The files that are run as programs: those with a main guard, and those that call something and nobody imports."""
    imported: set[str] = set()
    for model in program.project.modules():
        imported |= set(program.project.imported_files(model.ir))
    program.imported = frozenset(imported)
    for model in program.project.reported_modules():
        if is_entry(model.ir, model.ir.path in imported) and program.communicates(model.ir):
            yield Entry(model.ir)


def alone(program: Program, module: ir.Module, position: int) -> Entry | None:
    """The function or method around a position, if nothing in the project calls it."""
    model = program.project.module(module.path)
    around = [one for one in model.functions() if one.ir.span[0] <= position < one.ir.span[1]] if model else []
    function = max(around, key=lambda one: one.ir.span[0], default=None)
    if function is None or not _is_plain(function) or program.project.get(CallSites).of(function):
        return None
    return Entry(module, function.ir.qualname, _communicators(function))


def _is_plain(function: Function) -> bool:
    """Whether a call of a function runs it, without callers that decide how."""
    found = function.ir
    is_visible = (
        found.kind in ("function", "method") and "<locals>" not in found.qualname and found.qualname.count(".") < 2
    )
    return is_visible and not (found.decorators or found.is_async or found.is_generator or found.is_too_large)


def _communicators(function: Function) -> frozenset[str]:
    """The parameters of a function, and of the constructor of its class, that hold a communicator."""
    owner, found = function.ir.owner, [function]
    qualname = function.module.classes[owner].methods.get("__init__") if owner is not None else None
    if qualname is not None:
        found.append(function.module_model.function(qualname))
    return frozenset(
        name
        for one in found
        for name, value in (one.flow.entries[0] or {}).items()
        if isinstance(value.entity, Communicator)
    )


def is_entry(module: ir.Module, is_imported: bool) -> bool:
    """Whether a file is a script."""
    if module.is_package:
        return False
    if any(_is_main_guard(block.terminator) for block in module.body.blocks):
        return True
    return not is_imported and any(_calls(step) for step in module.body.steps())


def _calls(step: ir.Step) -> bool:
    return isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call)


def _is_main_guard(terminator: ir.Terminator) -> bool:
    match terminator:
        case ir.Branch(test=ir.Comparison(operands=(ir.Name(id="__name__"), ir.Constant(value="__main__")))):
            return True
    return False
