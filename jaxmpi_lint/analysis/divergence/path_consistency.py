"""Feasible paths: a test whose operands keep their values has one outcome wherever it is repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.cfg.invariant_tests import LastingTests
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.divergence.event_languages import Outcomes
from jaxmpi_lint.analysis.lattice.limits import TRACKED_TESTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class ConsistentPaths:
    """Outcomes of tests on the paths from one branch: those known before it, and those on the way."""

    def __init__(self, function: Function, start: int) -> None:
        self._function = function
        self._graph = function.graph
        self._assumptions: dict[tuple[int, bool], Assumption] = {}
        self._decided: dict[tuple[int, bool, int], bool | None] = {}
        self._branches = {block.index: branch for block, branch, _ in function.branches()}
        tests = LastingTests(function)
        lasting = [index for index, branch in self._branches.items() if index != start and tests.lasts(branch.test)]
        self.known: Outcomes = frozenset(self._known_before(start, lasting))
        behind = self._graph.reachable(start)
        self._tracked = frozenset(
            [index for index in lasting if index in behind and self._is_repeated(index)][:TRACKED_TESTS]
        )

    def __bool__(self) -> bool:
        """Whether there are outcomes to record."""
        return bool(self.known or self._tracked)

    def decide(self, block: int, outcomes: Outcomes) -> bool | None:
        """The outcome of a branch, given other outcomes, if they determine it."""
        for test, truth in outcomes:
            decided = truth if test == block else self._decide(test, truth, block)
            if decided is not None:
                return decided
        return None

    def extended(self, outcomes: Outcomes, block: int, target: int) -> Outcomes:
        """The outcomes after an edge."""
        if block not in self._tracked:
            return outcomes
        return outcomes | {(block, target == self._branches[block].when_true)}

    def _decide(self, test: int, truth: bool, block: int) -> bool | None:
        key = (test, truth, block)
        if key not in self._decided:
            if key[:2] not in self._assumptions:
                self._assumptions[key[:2]] = Assumption(self._function, test, truth)
            self._decided[key] = self._assumptions[key[:2]].decide(block)
        return self._decided[key]

    def _known_before(self, start: int, lasting: list[int]) -> list[tuple[int, bool]]:
        """Outcomes without which ``start`` is not reached."""
        found = []
        for index in lasting:
            branch = self._branches[index]
            if start in self._graph.reachable(0, index):
                continue
            taken = start in self._graph.reachable(branch.when_true, index)
            if taken != (start in self._graph.reachable(branch.when_false, index)):
                found.append((index, taken))
        return found

    def _is_repeated(self, index: int) -> bool:
        """Whether the outcome of a test decides a later branch."""
        behind = set().union(*(self._graph.reachable(target) for target in self._graph.successors[index]))
        return any(
            self._decide(index, truth, block) is not None
            for block in self._branches
            if block in behind
            for truth in (True, False)
        )
