"""Detection of divergent branches: tests that processes decide differently and whose sides communicate differently.

The method is that of PARCOACH (collectives per block and communicator, post-dominance) with two additions: sides are
compared as languages of events instead of by presence, and repeated conditions count as one. It is a pipeline:
candidates, exemptions in order, description of what remains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet
from jaxmpi_lint.analysis.divergence import exemptions, explanation
from jaxmpi_lint.analysis.divergence.branch_exemptions import OF_THE_BRANCH
from jaxmpi_lint.analysis.divergence.branch_sides import FunctionEvents
from jaxmpi_lint.analysis.divergence.candidates import Candidate, Scope
from jaxmpi_lint.analysis.divergence.no_difference import NO_DIFFERENCE
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.trace import Exemption, Ruling, ruling

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Uniformity
    from jaxmpi_lint.analysis.lattice.trace import Trace


class FunctionDivergences:
    """Finds the divergences of one function; ``trace`` records the stages of each branch."""

    def __init__(self, function: Function, trace: Trace | None = None) -> None:
        self._function = function
        self._blocks = function.ir.blocks
        self._trace = trace

    def find(self) -> Iterator[Divergence]:
        """All divergences, one for each branch."""
        for candidate in self.found():
            yield candidate.divergence

    def found(self) -> Iterator[Candidate]:
        """The candidates that no exemption silences; exemptions of the whole program are not tested here."""
        parting = list(self._parting())
        if self._trace is not None:
            explanation.record_others(self._scope.function_events, self._trace)
        if not parting or not (self._has_events() or self._trace is not None):
            return
        postponed: list[Candidate] = []
        for candidate in (Candidate(self._scope, block.index, branch, test) for block, branch, test in parting):
            found = self._examined(candidate)
            if found is not None and found.is_of_later:
                postponed.append(found)
            elif found is not None:
                self._scope.reported.add(found.block)
                yield found
        yield from (found for found in postponed if not self._is_exempt(exemptions.OF_POSTPONED, found))

    def _examined(self, candidate: Candidate) -> Candidate | None:
        """The candidate, if no exemption of its function applies."""
        if self._trace is not None and self._trace.follows(candidate.subject):
            self._trace.record(candidate.subject, explanation.stages(candidate))
        if self._is_exempt(OF_THE_BRANCH, candidate) or not self._is_left(candidate):
            return None
        if candidate.is_of_later or not self._is_exempt(exemptions.OF_THE_PLACE, candidate):
            return candidate
        return None

    def _is_left(self, candidate: Candidate) -> bool:
        """Whether the sides of all processes differ, and no exemption applies."""
        if candidate.difference is None:
            if self._trace is not None:
                self._is_exempt(NO_DIFFERENCE, candidate)
            return False
        ruled = self._ruling(exemptions.OF_THE_COMPARISON, candidate)
        if ruled.exemption in exemptions.UNCONFIRMED:
            self._scope.covered.update(candidate.correlated)
        return not ruled.is_silent and not self._is_exempt(exemptions.OF_THE_CALL, candidate)

    def _is_exempt(self, asked: Sequence[Exemption[Candidate]], candidate: Candidate) -> bool:
        return self._ruling(asked, candidate).is_silent

    def _ruling(self, asked: Sequence[Exemption[Candidate]], candidate: Candidate) -> Ruling[Candidate]:
        found = ruling(asked, candidate)
        if self._trace is not None and found.exemption is not None:
            self._trace.record(candidate.subject, found.stages())
        return found

    def _parting(self) -> Iterator[tuple[ir.Block, ir.Branch, Uniformity]]:
        """The branches that processes may take differently."""
        for block, branch, test in self._function.branches():
            uniformity = deciding_facet(branch, test)
            if uniformity.level in exemptions.MATTERING:
                yield block, branch, uniformity

    def _has_events(self) -> bool:
        if self._function.any_call_may_communicate:
            return True
        return self._function.project.summaries.implicit_calls(self._function) is not None

    def _block_events(self, index: int) -> list[Event]:
        if index >= len(self._blocks) or self._function.flow.entries[index] is None:
            return []
        return self._function.block_events(index)

    @cached_property
    def _scope(self) -> Scope:
        function_events = FunctionEvents(self._function, self._block_events)
        return Scope(function_events, set(), set())
