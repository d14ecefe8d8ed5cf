"""Lockstep comparison of two processes: where a test is uniform, both take the same path, with equal trip counts.

The languages of two sides do not determine how often a common loop is repeated. Here each side is followed along one
path for every small trip count and every outcome of uniform tests, and the words are compared one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from jaxmpi_lint.analysis.divergence.agreement import disagree
from jaxmpi_lint.analysis.divergence.event_languages import OutcomeSequence, Position, Side, UniformTest, behind
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.limits import LOCKSTEP_MOVES, LOCKSTEP_RUNS

Script = dict[Hashable, OutcomeSequence]
Verdicts = dict[frozenset[tuple[Hashable, OutcomeSequence]], "_Verdict"]


class _Undecided(Exception):
    """A uniform test whose outcome the script does not contain."""

    def __init__(self, crossing: UniformTest) -> None:
        super().__init__()
        self.crossing = crossing

    def scripts(self, script: Script) -> list[Script]:
        """The script with each possible outcome of the test."""
        return [{**script, self.crossing.key: sequence} for sequence in self.crossing.outcome_sequences()]


class _Unclear(Exception):
    """The continuation of a side is unknown."""


Parting = tuple[Event | None, Event | None]  # the first different events of two sides; None if a side has ended


def part(left: Side, right: Side) -> Parting | None:
    """The first events in which two sides provably differ in some run."""
    verdicts: Verdicts = {}
    scripts: list[Script] = [{}]
    for _ in range(LOCKSTEP_RUNS):
        if not scripts:
            return next((verdict.parting for verdict in verdicts.values() if verdict.holds), None)
        script = scripts.pop()
        one, other = _Reader(left, script), _Reader(right, script)
        try:
            parting = _parting(one, other)
        except _Undecided as undecided:
            scripts += undecided.scripts(script)
            continue
        except _Unclear:
            parting = None
        _record(verdicts, one, other, parting)
    return None


def _record(verdicts: Verdicts, one: _Reader, other: _Reader, parting: Parting | None) -> None:
    """Add the result of one script to those with equal outcomes of the tests that both sides reach."""
    common = one.crossed.keys() & other.crossed.keys()
    if any(not one.crossed[key].is_uniform for key in common):
        parting = None  # each process decides it on its own
    verdict = verdicts.setdefault(frozenset((key, one.script[key]) for key in common), _Verdict())
    verdict.partings.append(parting)
    verdict.own |= {reader.side for reader in (one, other) if reader.crossed.keys() - common}


@dataclass(slots=True)
class _Verdict:
    """Where words differ, for each run with equal outcomes of common tests, and the sides with separate tests."""

    partings: list[Parting | None] = field(default_factory=list)
    own: set[Side] = field(default_factory=set)

    @property
    def holds(self) -> bool:
        """Whether words differ for some outcomes of the tests that only one side reaches.

        If both sides have such tests, one may depend on the other: the words must then differ for all outcomes.
        """
        return all(self.partings) if len(self.own) > 1 else any(self.partings)

    @property
    def parting(self) -> Parting | None:
        """The first difference."""
        return next(filter(None, self.partings), None)


class _Reader:
    """Reads what one side says with one script."""

    def __init__(self, side: Side, script: Script) -> None:
        self.crossed: dict[Hashable, UniformTest] = {}
        self.side = side
        self.script = script
        self._times: Counter[Hashable] = Counter()

    def events(self) -> Iterator[Event]:
        """The events, one after the other; those of a side without an end are many."""
        position: Position = (self.side.start, 0, self.side.known)
        for _ in range(LOCKSTEP_MOVES):
            if position[0] == self.side.stop:
                return
            event = self.side.event(position)
            if event is not None:
                yield event
                position = behind(position)
            else:
                position = self._move(position)
        raise _Unclear

    def _move(self, position: Position) -> Position:
        moves = list(self.side.moves(position))
        if len(moves) == 1:
            return moves[0]
        crossing = self.side.walk.crossing(position[0]) if moves else None
        if crossing is None and moves:
            crossing = self.side.walk.unknown_test(position[0])
        if crossing is None:
            raise _Unclear
        self.crossed[crossing.key] = crossing
        outcome = self._outcome(crossing)
        return next(move for move in moves if (move[0] == crossing.yes) == outcome)

    def _outcome(self, crossing: UniformTest) -> bool:
        if crossing.key not in self.script:
            raise _Undecided(crossing)
        outcome_sequence = self.script[crossing.key]
        number = self._times[crossing.key]
        self._times[crossing.key] = 0 if crossing.loops and number == len(outcome_sequence) - 1 else number + 1
        outcome = outcome_sequence[min(number, len(outcome_sequence) - 1)]
        if crossing.loops and outcome:
            self._begin(crossing)
        return outcome

    def _begin(self, loop: UniformTest) -> None:
        """An iteration of a loop begins: the counts of its inner loops are reset."""
        for key, crossing in self.crossed.items():
            outer = crossing.around if crossing.loops else crossing.around[1:]
            if loop.key in outer:
                self._times[key] = 0


def _parting(left: _Reader, right: _Reader) -> Parting | None:
    """The first events in which two words provably differ.

    If the trip count of a loop that only one side reaches is unknown, the word of that side must be longer anyway.
    """
    ours, theirs = left.events(), right.events()
    parting = _first_unequal(ours, theirs)
    if parting is None or not (_open(left, right) or _open(right, left)):
        return parting
    rest, others_rest = sum(1 for _ in ours), sum(1 for _ in theirs)  # reading on may cross further tests
    ahead = rest + (parting[0] is not None) - others_rest - (parting[1] is not None)
    mine, others = _open(left, right), _open(right, left)
    if mine and others:
        return None
    is_longer = ahead > 0 if mine else ahead < 0
    is_certain = is_longer and all(crossing.loops for crossing in (*mine, *others))
    return parting if is_certain or not (mine or others) else None


def _first_unequal(ours: Iterator[Event], theirs: Iterator[Event]) -> Parting | None:
    """The first events that do not match; None if all do, or if an unknown call may match."""
    for one, other in zip_longest(ours, theirs):
        same = one is not None and other is not None and one.label == other.label
        if (one is not None and one.opaque) or (other is not None and other.opaque):
            if not same:
                return None
        elif one is None or other is None or not same or disagree([one], [other]):
            return one, other
    return None


def _open(reader: _Reader, other: _Reader) -> list[UniformTest]:
    """Tests that only one side reaches, with an unknown number of equal outcomes in a row.

    A test inside of loops that both sides repeat together is evaluated once in an iteration: any outcome is possible.
    """
    own = (crossing for key, crossing in reader.crossed.items() if key not in other.crossed and crossing.is_open)
    return [crossing for crossing in own if crossing.loops or not set(crossing.around) <= other.crossed.keys()]
