"""Names that are bound on one side of a test of the rank, and read where the sides have met."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import always_evaluated, expressions_read, names_bound, terminator_expressions
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.guards import guards, is_rank_test_by_name
from jaxmpi_lint.analysis.conditions.rank_facts import rank_test_of
from jaxmpi_lint.checks.base import reason_steps
from jaxmpi_lint.checks.lone_values.guarding import Origin, is_for_all, is_of_role, leaves_function
from jaxmpi_lint.checks.lone_values.reached import SIZES, members, reaches
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.conditions.one_rank import Member
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Value


_LIBRARIES = frozenset({*sys.stdlib_module_names, "matplotlib", "mpi4py", "numpy", "pylab", "scipy"})


@dataclass(frozen=True, slots=True)
class UnboundRead:
    """The first read of a name that only the ranks on one side of a branch have bound; ``block`` ends with it."""

    function: Function
    name: ir.Name
    block: int
    branch: ir.Branch
    test: Value
    bound_at: ir.Span
    is_bound_if_true: bool
    kind: str = "unbound"

    @property
    def place(self) -> Place:
        """The read."""
        return Place(self.function.module, self.name.span)

    @property
    def confidence(self) -> Confidence:
        """High: all bindings of the name are visible. Medium if the test has the name of a rank alone."""
        return Confidence.HIGH if self.test.content.level is Level.RANK else Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The name."""
        return self.name.id

    def steps(self) -> Iterator[Step]:
        """The test and the binding."""
        yield from reason_steps(self.test.content.reason)
        if self.test.content.level is not Level.RANK:
            yield Step(self.function.module, self.branch.test.span, "only some ranks pass this test")
        yield Step(self.function.module, self.bound_at, "binds the name, on some ranks only")


def unbound_reads(function: Function) -> Iterator[UnboundRead]:
    """One for each name of a function."""
    if function.ir.is_too_large or function.ir.kind == "class" or ":=" in function.module.source(function.ir.span):
        return
    if is_of_role(function):
        return
    binders = _binders(function)
    done: set[str] = set()
    for block, branch, test in function.branches():
        if branch.kind != "if" or not _divides_ranks(function, branch, test):
            continue
        for name in sorted(binders.keys() - done):
            read = _first_read(function, block.index, branch, name, binders[name])
            if read is not None:
                done.add(name)
                when_true = function.graph.reachable(
                    branch.when_true, function.graph.immediate_postdominator(block.index)
                )
                place = _place_of_binding(function, name)
                yield UnboundRead(function, read, block.index, branch, test, place, bool(when_true & binders[name]))


def _divides_ranks(function: Function, branch: ir.Branch, test: Value) -> bool:
    if test.content.level is Level.UNKNOWN:
        return is_rank_test_by_name(function, branch.test)
    return test.content.level is Level.RANK and not test.content.overruled


def _binders(function: Function) -> dict[str, set[int]]:
    """The blocks that bind each name which nothing else binds: no parameter, no other function, no deletion."""
    found: dict[str, set[int]] = {}
    others = {parameter.name for parameter in function.ir.parameters} | set(function.ir.globals)
    for inner in function.module.functions.values():
        others |= {*inner.globals, *inner.nonlocals}
    for block in function.ir.blocks:
        for step in block.steps:
            for name in names_bound(step):
                found.setdefault(name, set()).add(block.index)
            if isinstance(step, ir.Delete):
                others |= {ir.dotted(target) or "" for target in step.targets}
    if _may_import_names(function):
        return {}
    return {name: blocks for name, blocks in found.items() if name not in others}


def _may_import_names(function: Function) -> bool:
    """Whether ``from settings import *`` may bind names as data has them; libraries and modules of packages do not."""
    stars = (
        name.target
        for step in function.ir.steps()
        if isinstance(step, ir.Import)
        for name in step.names
        if name.bound == "*"
    )
    return any("." not in target and target not in _LIBRARIES for target in stars)


def _first_read(function: Function, index: int, branch: ir.Branch, name: str, binders: set[int]) -> ir.Name | None:
    """The first read of a name behind a branch of which one side alone binds it."""
    graph = function.graph
    meeting = graph.immediate_postdominator(index)
    if meeting >= len(function.ir.blocks):
        return None
    sides = [graph.reachable(side, meeting) - {index} for side in (branch.when_true, branch.when_false)]
    binding = [side for side in sides if side & binders]
    if len(binding) != 1:
        return None
    is_in_loop = index in graph.reachable(branch.when_true) | {meeting}
    is_lasting = is_in_loop and rank_test_of(function, index, branch.test) is not None
    if is_in_loop and not (is_lasting or (_is_of_one_rank(branch.test) and sides[0] & binders)):
        return None
    if any(index not in graph.reachable(0, one) for one in binders):
        return None  # all ranks have bound it before the branch, as a loop does that some ranks leave
    behind = frozenset({meeting, *graph.reachable(meeting)})
    if is_in_loop:
        read = _read_in_first_pass(function, index, meeting, name)
        if read is not None or not is_lasting:
            return read
        behind = frozenset(block for block in behind if index not in graph.reachable(block))  # behind the loop
    after = {later for one in binders - binding[0] for later in graph.successors[one]}
    elsewhere = frozenset[int]().union(*(graph.reachable(one) for one in after))
    for block in sorted(behind):
        if block >= len(function.ir.blocks) or function.flow.entries[block] is None:
            continue
        read = _read_before_binding(function.ir.blocks[block], name)
        if read is None and block not in binders:
            continue
        if read is None or block in elsewhere:
            return None  # all ranks may have bound it
        if not leaves_function(function, block, "UnboundLocalError") or is_expected_to_fail(function.ir, read.span):
            return None
        if is_for_all(function, block, name, Origin(index, by_test=True)):
            return read
        if _is_reached_without(function, block, binders):
            return read
    return None


def _is_of_one_rank(test: ir.Expression) -> bool:
    """``rank == root``, which no other rank passes, whatever pass of a loop it is."""
    return isinstance(test, ir.Comparison) and test.operators == ("==",)


def _read_in_first_pass(function: Function, index: int, meeting: int, name: str) -> ir.Name | None:
    """A read where the sides of a branch in a loop meet: in the first pass, nothing else has bound the name."""
    read = _read_before_binding(function.ir.blocks[meeting], name)
    if read is None or is_expected_to_fail(function.ir, read.span):
        return None
    is_failure = leaves_function(function, meeting, "UnboundLocalError")
    return read if is_failure and is_for_all(function, meeting, name, Origin(index, by_test=True)) else None


def _is_reached_without(function: Function, block: int, binders: set[int]) -> bool:
    """Whether some rank provably reaches a block and none of those that bind the name, with 2, 3 and 4 ranks."""

    def lacks(member: Member) -> bool:
        skips = all(reaches(function, one, member) is False for one in binders)
        return skips and reaches(function, block, member) is True

    return bool(guards(function, block)) and all(any(map(lacks, members(size))) for size in SIZES)


def _read_before_binding(block: ir.Block, name: str) -> ir.Name | None:
    """The first read of a name that a block makes whenever it runs, if the block does not bind the name before."""
    for step in block.steps:
        read = _read_in(expressions_read(step), name)
        if read is not None or name in names_bound(step):
            return read
    return _read_in(terminator_expressions(block), name)


def _read_in(expressions: Iterable[ir.Expression], name: str) -> ir.Name | None:
    read = (node for expression in expressions for node in always_evaluated(expression))
    return next((node for node in read if isinstance(node, ir.Name) and node.id == name), None)


def _place_of_binding(function: Function, name: str) -> ir.Span:
    return next(step.span for step in function.ir.steps() if name in names_bound(step))
