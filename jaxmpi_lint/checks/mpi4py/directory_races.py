"""Directories created after a test for existence: time-of-check to time-of-use races between ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions
from jaxmpi_lint.analysis.cfg.exclusive_files import is_caught
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.call_failures import is_of_one_process
from jaxmpi_lint.analysis.participation.spmd_code import AllRanks, conjuncts
from jaxmpi_lint.checks.mpi4py.directories import (
    has_passed_a_race,
    is_made_by_some_instead,
    is_there_by_then,
    looked_at,
    made,
    path_text,
)
from jaxmpi_lint.checks.mpi4py.per_process_paths import OwnPaths
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step

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
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = function.bound(step.expression)
                place = made(bound) if bound is not None else None
                look = _look_before(function, block.index, place) if place is not None else None
                if bound is None or place is None or look is None or is_caught(function.ir, bound.call.span):
                    continue
                if is_made_by_some_instead(function, block.index, place) or is_of_one_process(function, block.index):
                    continue
                if has_passed_a_race(function, block.index, bound.call.span, own):
                    continue
                if is_there_by_then(function, block.index, look, place):
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


def _look_before(function: Function, block: int, place: ir.Expression) -> ir.Span | None:
    """The test on every path to a block that finds a directory missing."""
    for guard in guards(function, block):
        for condition, truth in conjuncts(guard.branch.test, guard.truth):
            look, seen = _behind_name(function, condition, truth)
            if not seen and isinstance(look, ir.Call) and looked_at(function, look) == path_text(function, place):
                return condition.span
    return None


def _behind_name(function: Function, condition: ir.Expression, truth: bool) -> tuple[ir.Expression, bool]:
    """The condition that a name stands for."""
    if isinstance(condition, ir.Name):
        values = definitions(function, condition.id)
        if values is not None and len(values) == 1:
            return next(conjuncts(values[0], truth), (condition, truth))
    return condition, truth
