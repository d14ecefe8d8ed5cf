"""Two ranks of a small world that a branch divides: facts about their ranks decide every test on the way.

Where a branch divides ranks, the pairs that it divides are decisive: later tests that neither side decides as a whole
are decided for each pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.branch_sides import BranchSides, FunctionEvents
from jaxmpi_lint.analysis.divergence.interprocedural_paths import Filter
from jaxmpi_lint.analysis.divergence.path_consistency import ConsistentPaths
from jaxmpi_lint.analysis.divergence.side_comparison import Difference
from jaxmpi_lint.analysis.lattice.limits import PAIRED_BLOCKS
from jaxmpi_lint.analysis.small_worlds.pieces import Pieces, Split


class Verdict(Enum):
    """What comes of the comparison where no pair is known to part."""

    UNKNOWN = "there are no pairs"
    UNCLEAR = "some may diverge"
    SAME = "none diverge"


@dataclass(frozen=True, slots=True)
class Parted:
    """The sides of two processes, and where they part before the sides meet."""

    sides: BranchSides
    difference: Difference


class PartedPairs:
    """Compares pairs at the branches of one function."""

    def __init__(self, function_events: FunctionEvents) -> None:
        self._function_events = function_events
        self._function = function_events.function
        self.pieces = Pieces(function_events.function)

    def compare(
        self, split: Split, index: int, branch: ir.Branch, relevant: Filter, surely: bool = True
    ) -> Verdict | Parted:
        """The first pair that a branch parts, or what is known if there is none.

        If it has to do so ``surely``, nothing before the branch may make up for it.
        """
        if len(self._function.ir.blocks) > PAIRED_BLOCKS:
            return Verdict.UNKNOWN
        verdict = Verdict.UNKNOWN
        for pair in self.pieces.pairs(split, index, branch):
            sides = BranchSides.of_pair(self._function_events, index, branch, self.pieces, pair, relevant)
            found = self._judge(sides, index, surely) if self.pieces.come_to(pair, index) else Verdict.SAME
            if isinstance(found, Parted):
                return found
            verdict = Verdict.UNCLEAR if Verdict.UNCLEAR in (found, verdict) else found
        return verdict

    def _judge(self, sides: BranchSides, index: int, surely: bool) -> Verdict | Parted:
        """Whether two processes communicate differently before they meet, to the end and from the beginning."""
        graph = self._function.graph
        meeting = graph.immediate_postdominator(index)
        difference = sides.difference(meeting)
        if difference is None:
            return Verdict.SAME if sides.are_same(meeting) else Verdict.UNCLEAR
        behind, everywhere = ConsistentPaths(self._function, index), ConsistentPaths(self._function, through=index)
        if sides.are_same(graph.exit, behind):
            return Verdict.SAME
        if not sides.leaves_alone(meeting) and sides.are_same(graph.exit, everywhere, whole=True):
            return Verdict.SAME
        part = sides.difference(graph.exit, behind, difference) is not None and not (
            surely and sides.difference(graph.exit, everywhere, difference, whole=True) is None
        )
        return Parted(sides, difference) if part else Verdict.UNCLEAR
