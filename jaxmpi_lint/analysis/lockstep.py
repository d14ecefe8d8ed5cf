"""Two processes side by side: where a test is equal on all processes, both take the same way, as often as the other.

The languages of two sides do not tell how often a loop that both pass is repeated. Here each side is walked along one
path for every small number of passes and every outcome of what all agree on, and the words are compared one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from jaxmpi_lint.analysis.events import Event
from jaxmpi_lint.analysis.sequences import Crossing, Habit, Position, Side, behind, disagree

_RUNS = 200
_MOVES = 400

Script = dict[Hashable, Habit]


class _Undecided(Exception):
    """A crossing of which the script says nothing."""

    def __init__(self, crossing: Crossing) -> None:
        super().__init__()
        self.crossing = crossing


def part(left: Side, right: Side) -> bool:
    """Whether two sides surely communicate differently in some runs.

    That is so if, with some outcomes of the tests that both come by, the words differ whatever the others say.
    """
    verdicts: dict[frozenset[tuple[Hashable, Habit]], bool] = {}
    scripts: list[Script] = [{}]
    for _ in range(_RUNS):
        if not scripts:
            return any(verdicts.values())
        script = scripts.pop()
        try:
            one, other = _Reader(left, script), _Reader(right, script)
        except _Undecided as undecided:
            crossing = undecided.crossing
            scripts += [{**script, crossing.key: habit} for habit in crossing.habits()]
            continue
        common = frozenset((key, script[key]) for key in one.crossed.keys() & other.crossed.keys())
        verdicts[common] = verdicts.get(common, True) and _surely_differ(one, other)
    return False


class _Reader:
    """What one side says with one script; ``events`` is None if that cannot be told."""

    def __init__(self, side: Side, script: Script) -> None:
        self.crossed: dict[Hashable, Crossing] = {}
        self._side = side
        self._script = script
        self._times: Counter[Hashable] = Counter()
        self.events = self._read()

    def _read(self) -> list[Event] | None:
        events: list[Event] = []
        position: Position | None = (self._side.start, 0, self._side.known)
        for _ in range(_MOVES):
            if position is None:
                return None
            if position[0] == self._side.stop:
                return events
            event = self._side.event(position)
            if event is not None:
                events.append(event)
                position = behind(position)
            else:
                position = self._move(position)
        return None

    def _move(self, position: Position) -> Position | None:
        moves = list(self._side.moves(position))
        if len(moves) == 1:
            return moves[0]
        crossing = self._side.walk.crossing(position[0]) if moves else None
        if crossing is None:
            return None
        self.crossed[crossing.key] = crossing
        outcome = self._outcome(crossing)
        return next((move for move in moves if (move[0] == crossing.yes) == outcome), None)

    def _outcome(self, crossing: Crossing) -> bool:
        if crossing.key not in self._script:
            raise _Undecided(crossing)
        habit = self._script[crossing.key]
        number = self._times[crossing.key]
        self._times[crossing.key] = 0 if crossing.loops and number == len(habit) - 1 else number + 1
        return habit[min(number, len(habit) - 1)]


def _surely_differ(left: _Reader, right: _Reader) -> bool:
    """Whether two words differ, whatever number of passes the loops make that only one of the sides comes by."""
    if left.events is None or right.events is None:
        return False
    own = left.crossed.keys() ^ right.crossed.keys()
    crossings = [crossing for key, crossing in (left.crossed | right.crossed).items() if key in own]
    if any(crossing.loops and crossing.passes is None for crossing in crossings):
        return False
    return _differ(left.events, right.events)


def _differ(left: list[Event], right: list[Event]) -> bool:
    """Whether two words surely differ; what a call that is not known communicates may be anything."""
    for one, other in zip(left, right, strict=False):
        if one.label != other.label:
            return not one.opaque and not other.opaque
        if disagree([one], [other]):
            return True
    shorter = min(len(left), len(right))
    rest = (*left[shorter:], *right[shorter:])
    return bool(rest) and not any(event.opaque for event in rest[:1])
