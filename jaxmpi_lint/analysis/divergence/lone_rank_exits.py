"""Ranks of small worlds that reach a collective while others of their sub-communicator exit with an exception."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Uniformity
from jaxmpi_lint.analysis.participation.must_collectives import Decision, MustCollectives, NextCollective
from jaxmpi_lint.analysis.small_worlds.one_rank import Member
from jaxmpi_lint.analysis.small_worlds.pieces import Pieces, Split

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Parting:
    """Where the processes exit for which a part of a test is ``truth``."""

    block: int
    branch: ir.Branch
    part: ir.Expression
    truth: bool
    test: Uniformity


def ahead_of_rank(function: Function, parting: Parting, equal: list[Assumption]) -> NextCollective | None:
    """The collective that one rank must reach, while a different rank of its communicator exits.

    ``equal`` holds for both of them.
    """
    pieces = Pieces(function)
    start = parting.branch.when_false if parting.truth else parting.branch.when_true
    for groups, split in _splits(function, pieces, parting.test):
        for pair in pieces.pairs(split, parting.block, parting.branch, parting.part):
            stays = pair.fails if parting.truth else pair.holds
            if pieces.come_to(pair, parting.block):
                decide = _decision(function, pieces, stays, equal)
                ahead = MustCollectives(function, partial(_is_on, groups), decide).next_from(start)
                if ahead is not None:
                    return ahead
    return None


def _splits(function: Function, pieces: Pieces, test: Uniformity) -> Iterator[tuple[frozenset[str], Split]]:
    """The sub-communicators, and the communicators that the test divides as a whole."""
    yield from pieces.splits.items()
    wholes = {one.groups: one for one in _communicators(function) if one.groups <= test.groups}
    for groups, whole in wholes.items():
        yield groups, Split.nothing(whole)


def _communicators(function: Function) -> Iterator[Communicator]:
    """The communicators on which a function itself calls collectives."""
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None:
            for event in function.block_events(block.index):
                if event.communicator is not None and not event.communicator.is_self:
                    yield event.communicator


def _is_on(groups: frozenset[str], communicator: Communicator) -> bool:
    return communicator.groups == groups


def _decision(function: Function, pieces: Pieces, member: Member, equal: list[Assumption]) -> Decision:
    """The outcomes of tests on one rank, and under assumptions."""

    def decide(block: int) -> bool | None:
        terminator = function.ir.blocks[block].terminator
        known = pieces.leaves(member, block, terminator.test) if isinstance(terminator, ir.Branch) else None
        assumed = (assumption.decide(block) for assumption in equal)
        return known if known is not None else next((outcome for outcome in assumed if outcome is not None), None)

    return decide
