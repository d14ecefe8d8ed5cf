"""Directories created after a test for existence: time-of-check to time-of-use races between ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions
from jaxmpi_lint.analysis.conditions.guards import exclude_each_other, guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.call_failures import is_of_one_process
from jaxmpi_lint.analysis.participation.spmd_code import AllRanks, conjuncts, is_for_some
from jaxmpi_lint.checks.mpi4py.per_process_paths import OwnPaths
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.python.files import (
    LOOKING_METHODS,
    LOOKS_FOR_DIRECTORY,
    MAKEDIRS,
    MAKES_DIRECTORY,
    SAME_PATH_OF_DIRECTORY,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module


@dataclass(frozen=True, slots=True)
class DirectoryRace:
    """The call that creates a directory, the test before it, and the name of the called function."""

    module: ir.Module
    bound: BoundCall
    look: ir.Span
    maker: str

    @property
    def place(self) -> Place:
        """The call that creates it."""
        return Place(self.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the ranks may have separate file systems."""
        return Confidence.MEDIUM

    @property
    def kind(self) -> str:
        """The function or method that creates it."""
        return self.maker.rpartition(".")[2]

    def steps(self) -> Iterator[Step]:
        """The test."""
        yield Step(self.module, self.look, "several ranks can find the directory missing here")


def makers(module: Module) -> Iterable[Function]:
    """The functions of a file that may create directories on all ranks; a notebook runs as one process."""
    is_named = "mkdir" in module.ir.text or "makedirs" in module.ir.text
    return module.functions() if is_named and not module.ir.path.endswith(".ipynb") else ()


def directory_races(function: Function) -> Iterator[DirectoryRace]:
    """Directories that all ranks create if they find them missing."""
    everyone = AllRanks(function.project.get(CallSites))
    own = OwnPaths(everyone.sites)
    for block in function.ir.blocks:
        if block.handlers:
            continue
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = function.bound(step.expression)
                place = _made(bound) if bound is not None else None
                look = _look_before(function, block.index, place) if place is not None else None
                if bound is None or place is None or look is None:
                    continue
                if _is_made_by_some_instead(function, block.index, place) or is_of_one_process(function, block.index):
                    continue
                if everyone.run(function, block.index, frozenset({look})) and not own.holds(
                    function, place, function.flow.environment_before(block.index, None)
                ):
                    yield DirectoryRace(function.module, bound, look, bound.dotted or "mkdir")


def existing_accepted(race: DirectoryRace) -> Repair | None:
    """The fix: do not fail if the directory exists."""
    call = race.bound.call
    end = call.args[-1].span[1] if call.args else call.span[1] - 1
    edits = [((end, end), ", exist_ok=True" if call.args else "exist_ok=True")]
    if race.maker == "os.mkdir":
        if not isinstance(call.func, ir.Attribute):
            return None
        start = call.func.span[1] - len(call.func.attr)
        edits.insert(0, ((start, call.func.span[1]), "makedirs"))
    return Repair(Applicability.SAFE, "do not fail if the directory exists", tuple(edits))


def _is_made_by_some_instead(function: Function, block: int, place: ir.Expression) -> bool:
    """Whether some ranks create it in a different arm: this arm is for one rank, or for separate file systems."""
    return any(
        exclude_each_other(function, block, index) and is_for_some(function, index)
        for index, other in function.calls_by_block
        if (made := _place(other)) is not None and _text(function, made) == _text(function, place)
    )


def _place(bound: BoundCall) -> ir.Expression | None:
    """The directory that a call creates, whether or not the call fails if it exists."""
    if bound.dotted in MAKES_DIRECTORY:
        return bound.call.argument(0, "name" if bound.dotted == MAKEDIRS else "path")
    called = bound.call.func
    return called.value if isinstance(called, ir.Attribute) and called.attr == "mkdir" else None


def _made(bound: BoundCall) -> ir.Expression | None:
    """The directory that a call creates, if the call fails if it exists."""
    call = bound.call
    if any(argument.star or argument.keyword in ("exist_ok", "dir_fd") for argument in call.args):
        return None
    if bound.dotted in MAKES_DIRECTORY:
        return call.argument(0, "name" if bound.dotted == MAKEDIRS else "path") if len(call.args) < 3 else None
    named = isinstance(bound.callee.entity, Named)
    if isinstance(call.func, ir.Attribute) and call.func.attr == "mkdir" and not named and len(call.args) < 3:
        positional = [argument for argument in call.args if argument.keyword is None]
        return None if positional else call.func.value
    return None


def _look_before(function: Function, block: int, place: ir.Expression) -> ir.Span | None:
    """The test on every path to a block that finds a directory missing."""
    for guard in guards(function, block):
        for condition, truth in conjuncts(guard.branch.test, guard.truth):
            look, seen = _behind_name(function, condition, truth)
            if not seen and isinstance(look, ir.Call) and _looked_at(function, look) == _text(function, place):
                return condition.span
    return None


def _behind_name(function: Function, condition: ir.Expression, truth: bool) -> tuple[ir.Expression, bool]:
    """The condition that a name stands for."""
    if isinstance(condition, ir.Name):
        values = definitions(function, condition.id)
        if values is not None and len(values) == 1:
            return next(conjuncts(values[0], truth), (condition, truth))
    return condition, truth


def _looked_at(function: Function, call: ir.Call) -> str | None:
    bound = function.bound(call)
    if bound is not None and bound.dotted in LOOKS_FOR_DIRECTORY and call.args:
        return _text(function, call.args[0].value)
    if isinstance(call.func, ir.Attribute) and call.func.attr in LOOKING_METHODS and not call.args:
        return _text(function, call.func.value)
    return None


def _text(function: Function, place: ir.Expression) -> str:
    """The source text of a path, without conversions between strings and path objects."""
    while isinstance(place, ir.Call):
        name = place.func.attr if isinstance(place.func, ir.Attribute) else ir.dotted(place.func)
        if name not in SAME_PATH_OF_DIRECTORY:
            break
        if len(place.args) == 1:
            place = place.args[0].value
        elif isinstance(place.func, ir.Attribute) and not place.args:
            place = place.func.value
        else:
            break
    return "".join(function.module.source(place.span).split())
