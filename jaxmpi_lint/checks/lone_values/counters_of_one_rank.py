"""Counters that one rank alone advances, and with which all ranks compute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, names_bound
from jaxmpi_lint.analysis.conditions.guards import guards, is_rank_test_by_name
from jaxmpi_lint.checks.lone_values.guarding import is_for_role, is_of_role
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SIZE = re.compile(r"(?:size|n_?procs?|n_?ranks|world_size|process_count)(?:\(\))?$", re.IGNORECASE)
_SHOWS = re.compile(
    r"print|log|write|report|info|debug|format|append|add_scalar|set_description|display", re.IGNORECASE
)
_SPREADS = re.compile(r"bcast|reduce|gather|scatter|send|comm|barrier", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CounterOfOneRank:
    """The step that advances a counter on some ranks, and a computation of all ranks with it."""

    function: Function
    name: str
    step: ir.Span
    read: ir.Span
    is_common: bool  # it counts the work of all processes
    kind: str = "counted"

    @property
    def place(self) -> Place:
        """The step."""
        return Place(self.function.module, self.step)

    @property
    def confidence(self) -> Confidence:
        """Low: the counter may be meant for the one rank, unless it advances by the number of processes."""
        return Confidence.MEDIUM if self.is_common else Confidence.LOW

    @property
    def text(self) -> str:
        """The name of the counter."""
        return self.name

    def steps(self) -> Iterator[Step]:
        """The computation."""
        yield Step(self.function.module, self.read, f"all ranks compute with `{self.name}` here")


def counters_of_one_rank(function: Function) -> Iterator[CounterOfOneRank]:
    """Those of one function, one for each name."""
    if function.ir.is_too_large or is_of_role(function):
        return
    done: set[str] = set()
    for block in function.ir.blocks:
        for step in block.steps:
            name, is_common = _advanced(function, step)
            if name is None or name in done or not _is_in_loop(function, block.index):
                continue
            if not _is_of_rank(function, block.index):
                continue
            if _is_bound_by_others(function, name):
                read = _read_by_all(function, name, block.index)
                if read is not None:
                    done.add(name)
                    yield CounterOfOneRank(function, name, step.span, read, is_common)


def _advanced(function: Function, step: ir.Step) -> tuple[str | None, bool]:
    """The name that a step raises by a constant or by the number of processes, and whether it is the latter."""
    match step:
        case ir.AugmentedAssign(target=ir.Name(id=name), operator="+" | "+=", value=value):
            is_number = isinstance(value, ir.Constant) and isinstance(value.value, int)
            is_common = bool(_SIZE.search(function.module.source(value.span)))
            return (name if is_number or is_common else None), is_common
    return None, False


def _is_in_loop(function: Function, block: int) -> bool:
    """Whether a block can run again: without a loop, the first rank may have one element more."""
    following = function.graph.successors[block]
    return any(block == one or block in function.graph.reachable(one) for one in following)


def _is_of_rank(function: Function, block: int) -> bool:
    return any(
        guard.test.content.level is Level.RANK or is_rank_test_by_name(function, guard.branch.test)
        for guard in guards(function, block)
        if guard.branch.kind == "if"
    )


def _is_bound_by_others(function: Function, name: str) -> bool:
    """Whether all ranks bind the name first, and no other step changes it under a loop of all."""
    binding = [(block.index, step) for block in function.ir.blocks for step in block.steps if name in names_bound(step)]
    others = [index for index, step in binding if not isinstance(step, ir.AugmentedAssign)]
    advanced = [index for index, step in binding if isinstance(step, ir.AugmentedAssign)]
    return len(others) >= 1 and len(advanced) == 1 and not any(_is_of_rank(function, index) for index in others)


def _read_by_all(function: Function, name: str, block: int) -> ir.Span | None:
    """A call of all ranks that takes the counter, if the function communicates it nowhere."""
    found = None
    place = ir.Name((0, 0), name)
    after = {block, *function.graph.reachable(block)}
    for index, bound in function.calls_by_block:
        text = function.module.source(bound.call.func.span)
        if not any(_is_name(argument.value, name) for argument in bound.call.args):
            continue
        if bound.operations or _SPREADS.search(text):
            return None
        if index in after and found is None and not _SHOWS.search(text) and not is_for_role(function, index, place):
            found = bound.call.span
    return None if found is None or _is_read_in_text(function, name) else found


def _is_name(value: ir.Expression, name: str) -> bool:
    return isinstance(value, ir.Name) and value.id == name


def _is_read_in_text(function: Function, name: str) -> bool:
    """Whether the counter is returned or kept in an object, from where it may be communicated."""
    ends = [block.terminator for block in function.ir.blocks]
    read = [end.value for end in ends if isinstance(end, ir.Return) and end.value is not None]
    for step in function.ir.steps():
        if isinstance(step, ir.Assign) and any(isinstance(one, ir.Attribute) for one in step.targets):
            read += expressions_read(step)
    return any(_is_name(node, name) for part in read for node in ir.walk(part))
