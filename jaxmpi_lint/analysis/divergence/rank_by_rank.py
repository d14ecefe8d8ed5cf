"""Tests of the rank that together give every rank the same calls: ``if rank == 0``, ``if 0 < rank < size - 1``, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import reads_anywhere
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.conditions.rank_facts import rank_test_of
from jaxmpi_lint.analysis.conditions.world_sizes import possible_sizes
from jaxmpi_lint.analysis.divergence.branch_sides import TestDecision
from jaxmpi_lint.analysis.divergence.lockstep import part
from jaxmpi_lint.analysis.divergence.side_comparison import Agreement, compared
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Literal, RankOf, SizeOf

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SIZES = frozenset({2, 3, 4})
_LARGEST = 16


def all_ranks_agree(candidate: Candidate) -> bool:
    """Whether other tests of the rank make up for this one: in groups of 2 to 4 processes, and of as many as the
    function names, every rank makes the same calls from the start of the function to its end.
    """
    communicator = _communicator_of(candidate)
    if communicator is None or not _has_other_tests(candidate, communicator):
        return False
    sizes = (_SIZES | _named_sizes(candidate.function)) & possible_sizes(candidate.function, candidate.block)
    named = _named_ranks(candidate.function, communicator)
    if len(named) > 1 and named == set(range(len(named))) and not _asks_for_size(candidate.function):
        sizes = frozenset({len(named)})
    return bool(sizes) and all(_agree(candidate, communicator, size) for size in sizes)


def _has_other_tests(candidate: Candidate, communicator: Communicator) -> bool:
    """Whether another test of the same rank guards such calls too."""
    decide = _decision(candidate.function, Member(0, max(_SIZES), communicator.groups, communicator.ancestors))
    return any(
        block.index != candidate.block
        and decide(block.index, branch.test) is not None
        and candidate.later.decides_about(block.index, candidate.events)
        for block, branch, _ in candidate.function.branches()
    )


def _named_ranks(function: Function, communicator: Communicator) -> set[int]:
    """The ranks that tests of a function name."""
    tests = (rank_test_of(function, block.index, branch.test) for block, branch, _ in function.branches())
    found = [test for test in tests if test is not None and test.communicator == communicator]
    return {test.number for test in found if test.operator == "=="}


def _named_sizes(function: Function) -> frozenset[int]:
    """The numbers of processes that tests of a function name."""
    found: set[int] = set()
    for block, branch, _ in function.branches():
        env = function.flow.environment_before(block.index, None)
        for node in ir.walk(branch.test):
            if isinstance(node, ir.Comparison):
                entities = [function.value(operand, env).entity for operand in node.operands]
                if any(isinstance(entity, SizeOf) for entity in entities):
                    found |= {one.value for one in entities if isinstance(one, Literal) and type(one.value) is int}
    return frozenset(size for size in found if 1 < size <= _LARGEST)


def _asks_for_size(function: Function) -> bool:
    """Whether the function or its module asks for the number of processes: the program is made for any number."""
    scopes = {function.key: function, function.module_model.body.key: function.module_model.body}
    return any(
        isinstance(node, ir.Attribute) and node.attr in ("size", "Get_size") and _is_communicator(scope, node.value)
        for scope in scopes.values()
        for read in reads_anywhere(scope.ir)
        for node in ir.walk(read)
    )


def _is_communicator(function: Function, expression: ir.Expression) -> bool:
    return isinstance(function.value(expression, dict(function.flow.exit)).entity, Communicator)


def _communicator_of(candidate: Candidate) -> Communicator | None:
    """The communicator whose rank the test asks for, unless it asks for several."""
    env = candidate.function.flow.environment_before(candidate.block, None)
    entities = (candidate.function.value(part, env).entity for part in ir.walk(candidate.branch.test))
    found = {entity.communicator for entity in entities if isinstance(entity, RankOf)}
    return found.pop() if len(found) == 1 else None


def _agree(candidate: Candidate, communicator: Communicator, size: int) -> bool:
    ranks = [Member(rank, size, communicator.groups, communicator.ancestors) for rank in range(size)]
    decisions = [_decision(candidate.function, member) for member in ranks]
    if any(decide(candidate.block, candidate.branch.test) is None for decide in decisions):
        return False
    first, *others = (candidate.sides.whole_function(decide) for decide in decisions)
    return all(compared(first, other) is Agreement.SAME and part(first, other) is None for other in others)


def _decision(function: Function, member: Member) -> TestDecision:
    rank, decided = OneRank(member), dict[tuple[int, ir.Span], bool | None]()

    def decide(block: int, test: ir.Expression) -> bool | None:
        key = block, test.span
        if key not in decided:
            decided[key] = rank.decide(function, test, function.flow.environment_before(block, None))
        return decided[key]

    return decide
