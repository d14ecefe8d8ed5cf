"""Tests of the rank that together give every rank the same calls: ``if rank == 0``, ``if 0 < rank < size - 1``, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.conditions.world_sizes import possible_sizes
from jaxmpi_lint.analysis.divergence.branch_sides import TestDecision
from jaxmpi_lint.analysis.divergence.lockstep import part
from jaxmpi_lint.analysis.divergence.side_comparison import Agreement, compared
from jaxmpi_lint.analysis.lattice.lattice import Communicator, RankOf

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SIZES = frozenset({2, 3, 4})


def all_ranks_agree(candidate: Candidate) -> bool:
    """Whether tests of the rank before or behind this one make up for it: in groups of 2 to 4 processes, every rank
    makes the same calls from the start of the function to its end.
    """
    communicator = _communicator_of(candidate)
    sizes = _SIZES & possible_sizes(candidate.function, candidate.block)
    if communicator is None or not sizes or not _has_other_tests(candidate, communicator):
        return False
    return all(_agree(candidate, communicator, size) for size in sizes)


def _has_other_tests(candidate: Candidate, communicator: Communicator) -> bool:
    """Whether a test of the same rank that is before or behind the branch guards such calls too."""
    decide = _decision(candidate.function, Member(0, max(_SIZES), communicator.groups, communicator.ancestors))
    return any(
        decide(block, branch.test) is not None
        for block, branch in candidate.later.in_line(candidate.meeting, candidate.events)
    )


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
