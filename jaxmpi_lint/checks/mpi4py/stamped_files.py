"""Files that all ranks write, with the time and nothing of the rank in their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import steps_with
from jaxmpi_lint.analysis.cfg.exclusive_files import is_caught
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.nondeterminism.process_paths import made_by_each_process
from jaxmpi_lint.analysis.participation.spmd_code import AllRanks
from jaxmpi_lint.checks.base import reason_steps
from jaxmpi_lint.checks.mpi4py.per_process_paths import OwnPaths
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Uniformity

_WRITES = frozenset({"w", "wb", "wt"})


@dataclass(frozen=True, slots=True)
class StampedFile:
    """A call of all ranks that opens such a file, and the origin of the time."""

    function: Function
    call: ir.Call
    uniformity: Uniformity
    kind: str = "written by clock"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: two ranks may read the same time, and write one file."""
        return Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The time, then the call."""
        yield from reason_steps(self.uniformity.reason)
        yield Step(self.function.module, self.call.span, "all ranks write it here")


def stamped_files(function: Function) -> Iterator[StampedFile]:
    """The calls of a function that open such a file; a time that is not formatted is hardly ever equal on two ranks."""
    if "strftime" not in function.module.text or _is_inner(function):
        return  # an inner function may be handed to a call of one rank
    everyone = AllRanks(function.project.get(CallSites), by_default=True)
    own = OwnPaths(everyone.sites, levels=(Level.RANK,))
    written = [bound for _, bound in function.calls_by_block if _written(bound) is not None]
    for block, bound, env in steps_with(function, written):
        path = _written(bound)
        content = made_by_each_process(function, path, env) if path is not None else None
        if (
            path is None
            or content is None
            or content.source is not Source.CLOCK
            or is_caught(function.ir, bound.call.span)
        ):
            continue
        if everyone.run(function, block.index) and not own.holds(function, path):
            yield StampedFile(function, bound.call, content)


def _is_inner(function: Function) -> bool:
    return function.parent is not None and function.parent.ir.kind in ("function", "method")


def _written(bound: BoundCall) -> ir.Expression | None:
    """The path of a file that a call opens for writing."""
    mode = bound.call.argument(1, "mode")
    is_write = isinstance(mode, ir.Constant) and mode.value in _WRITES
    return bound.call.argument(0, "file") if is_write and bound.dotted in ("open", "builtins.open") else None
