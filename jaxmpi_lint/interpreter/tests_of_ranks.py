"""The branches that the ranks of worlds reached: left alike by all, and tested with the same values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.symbols import Symbol

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_Places = set[tuple[str, ir.Span]]
_Visits = dict[tuple[int, int, int], tuple[bool, tuple[Symbol, ...]]]
"""The outcome of a branch and the symbols of its test, for each visit of one rank."""


@dataclass(slots=True)
class TestsOfRanks:
    """Places of branches, over all worlds of an entry.

    ``alike`` are those that all ranks of some world reached equally often and left alike, by the number of ranks,
    ``unlike`` those for which this does not hold in some world. ``same`` are those of which the test is about equal
    unknown values on all ranks, ``different`` those for which this does not hold in some world.
    """

    alike: dict[int, _Places] = field(default_factory=dict)
    unlike: _Places = field(default_factory=set)
    same: dict[int, _Places] = field(default_factory=dict)
    different: _Places = field(default_factory=set)

    def add(self, world: World) -> None:
        """Add the branches of a world."""
        visits: dict[tuple[str, ir.Span], list[_Visits]] = {}
        sampled: _Places = set()
        for process in world.processes:
            for turn in process.rank.turns:
                of_ranks = visits.setdefault((turn.module.path, turn.span), [{} for _ in world.processes])
                of_ranks[process.rank.number][turn.key] = turn.outcome, tuple(symbol for symbol, _ in turn.asked)
                if turn.frame.path in world.sampled_frames:
                    sampled.add((turn.module.path, turn.span))
        alike = self.alike.setdefault(world.size, set())
        same = self.same.setdefault(world.size, set())
        self.unlike |= sampled  # the passes that are left out may be different
        for place, of_ranks in visits.items():
            if any(symbol.is_guess for one in of_ranks for _, asked in one.values() for symbol in asked):
                self.unlike.add(place)  # what an unknown call gives may differ between ranks
                continue
            outcomes = [{key: outcome for key, (outcome, _) in one.items()} for one in of_ranks]
            (alike if all(one == outcomes[0] for one in outcomes) else self.unlike).add(place)
            if any(one != of_ranks[0] for one in of_ranks):
                self.different.add(place)
            elif any(asked for _, asked in of_ranks[0].values()):
                same.add(place)
