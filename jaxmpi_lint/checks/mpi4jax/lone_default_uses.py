"""Messages on mpi4jax's default communicator that only some ranks reach, or from which the others are blocked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.one_rank import Member
from jaxmpi_lint.checks.mpi4jax.default_communicator import (
    Decision,
    RankWalk,
    RelevantFunctions,
    Undecided,
    Use,
    Way,
    default_use,
)
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import POINT_TO_POINT_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_SIZES = (2, 3, 4)
_STARTED_WITH_MORE = re.compile(r"\b(?:mpirun|mpiexec|srun)\b[^\n]*?\s-(?:n|np|-ntasks)[ =]*(?:[3-9]|[1-9]\d+)\b")
_ORDERING = frozenset({"<", "<=", ">", ">=", "in", "not in"})


@dataclass(frozen=True, slots=True)
class LoneUse:
    """The first use in a job with ``size`` ranks: the ranks that reach it, and the others.

    ``blocked`` means that the others wait in a different collective of all ranks before they would reach it;
    ``parting`` is the test at which they diverge. ``sure`` means that the program provably supports so many ranks, and
    ``certain`` that the ranks reach the use in every run.
    """

    use: Use
    size: int
    comers: tuple[int, ...]
    others: tuple[int, ...]
    blocked: bool
    parting: Decision | None
    sure: bool
    certain: bool

    @property
    def only(self) -> str:
        """The ranks that reach it, with the verb."""
        return f"{_ranks(self.comers)} {'reaches' if len(self.comers) == 1 else 'reach'}"

    @property
    def place(self) -> Place:
        """The use."""
        return Place(self.use.module, self.use.span)

    @property
    def confidence(self) -> Confidence:
        """Low where the program may be meant for two ranks."""
        if not self.sure:
            return Confidence.LOW
        return Confidence.HIGH if self.certain else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """What the other ranks do instead."""
        if self.parting is not None:
            one = len(self.others) == 1
            what = ("waits" if one else "wait") if self.blocked else ("takes" if one else "take")
            where = "in a collective of all ranks first" if self.blocked else "a different path"
            message = f"of {self.size}, {_ranks(self.others)} {what} {where}"
            yield Step(self.parting.module, self.parting.branch.span, message)


def _ranks(ranks: tuple[int, ...]) -> str:
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    return f"ranks {', '.join(map(str, ranks[:-1]))} and {ranks[-1]}"


def reported_lone_uses(project: Program) -> Iterator[LoneUse]:
    """Those in the files to be reported, each place once."""
    if not project.mentions(("mpi4jax",)):
        return
    reported = {model.ir.path for model in project.reported_modules()}
    places: set[tuple[str, ir.Span]] = set()
    for lone in lone_uses(project):
        place = lone.use.path, lone.use.span
        if lone.use.path in reported and place not in places:
            places.add(place)
            yield lone


def lone_uses(project: Program) -> Iterator[LoneUse]:
    """At most one for each program of a project."""
    functions = (function for module in project.modules() for function in module.functions())
    if not any(default_use(function, bound) for function in functions for bound in function.calls()):
        return
    relevant = RelevantFunctions(project)
    for entry in relevant.entries():
        found = [lone for size in _SIZES if (lone := _in_world(entry, size, relevant)) is not None]
        if not found or found[0].use.operation.kind not in POINT_TO_POINT_KINDS:
            continue
        only_two = found[-1].size == 2
        yield replace(found[0], sure=found[0].sure and not only_two)


def _in_world(entry: Function, size: int, relevant: RelevantFunctions) -> LoneUse | None:
    walks = [RankWalk(Member(rank, size), relevant) for rank in range(size)]
    try:
        ways = [sorted(walk.ways(entry), key=lambda way: way.waited) for walk in walks]
    except Undecided:
        return None
    if not all(ways):
        return None
    comers = tuple(rank for rank in range(size) if any(way.use for way in ways[rank]))
    never = tuple(rank for rank in range(size) if rank not in comers)
    late = () if never else _kept_away(ways)
    if not comers or not (never or late):
        return None
    if late:
        comers = tuple(rank for rank in comers if rank not in late)
    first, other = comers[0], (never or late)[0]
    use = next(way.use for way in ways[first] if way.use is not None)
    sure = size == 2 or _is_meant_for_more(entry, walks, other)
    certain = all(way.use is not None for way in ways[first])
    return LoneUse(use, size, comers, never or late, bool(late), _parting(walks[first], walks[other]), sure, certain)


def _kept_away(ways: list[list[Way]]) -> tuple[int, ...]:
    """The ranks that wait in a collective that the first ranks reach only after their use."""
    if not all(way.use is not None for of_rank in ways for way in of_rank):
        return ()
    least = min(of_rank[-1].waited for of_rank in ways)
    return tuple(rank for rank, of_rank in enumerate(ways) if of_rank[0].waited > least)


def _is_meant_for_more(entry: Function, walks: list[RankWalk], other: int) -> bool:
    """Whether a program that is correct for two ranks provably supports more."""
    if _STARTED_WITH_MORE.search(entry.module.text):
        return True
    if walks[other].visited - walks[0].visited - walks[1].visited:
        return True
    return any(
        _orders(decision.branch.test) and decision.outcome != walks[0].decisions[place].outcome
        for place, decision in walks[other].decisions.items()
        if place in walks[0].decisions
    )


def _orders(test: ir.Expression) -> bool:
    return isinstance(test, ir.Comparison) and bool(_ORDERING & set(test.operators))


def _parting(comer: RankWalk, other: RankWalk) -> Decision | None:
    """The first test whose outcome differs between the two ranks."""
    for place, decision in comer.decisions.items():
        answer = other.decisions.get(place)
        if answer is not None and answer.outcome != decision.outcome:
            return answer
    return None
