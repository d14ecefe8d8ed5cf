"""Outcomes of symbols as tests: chosen once for a world, so that equal symbols decide alike on all ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import lengths, whole_numbers
from jaxmpi_lint.interpreter.chosen_lengths import LENGTHS, ChosenLengths
from jaxmpi_lint.interpreter.normal_tests import by_default, comparison, is_with_infinity, normal
from jaxmpi_lint.interpreter.own_names import compares_own_names, compares_with_nothing, is_filled
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


_ORDERED = (">", ">=")
_UNEQUAL = "a list that is not as long as padding makes it"
_OPPOSITE = {">": ">=", ">=": ">"}

MAX_COMPARISONS = 32
"""Earlier comparisons of one value from which the outcome of a further one is concluded."""

Place = tuple[int, int]
"""The number of the function of a test, and its block."""


MAX_COUNTED = 4
"""Numbers in a row that a number of unknown size exceeds by default."""


@dataclass(frozen=True, slots=True)
class EveryPass:
    """A choice that a test has the outcome which it does not have by default, each time it is made.

    ``number`` is the rank for which it is so, None for all. A search that finds nothing is such a choice.
    """

    place: Place
    number: int | None


@dataclass(frozen=True, slots=True)
class Alternative:
    """The choices that lead to a further world: a different outcome of one test.

    ``is_unlikely`` if the outcome is, or if the test is no branch of a statement, so that it may decide about no calls.
    ``is_of_passes`` if all passes of one rank have the outcome in a different world.
    """

    about: Place | EveryPass
    choices: dict[object, object]
    is_unlikely: bool = False
    is_of_passes: bool = False


@dataclass(slots=True)
class Decisions:
    """``given`` are the choices that lead to this world, ``made`` all choices in it, in order.

    ``alike``: symbols that only some ranks know are decided by the place of the test, so that ranks agree there.
    ``apart`` are choices for the first rank alone, which is started with other arguments than the others.
    """

    given: dict[object, object] = field(default_factory=dict)
    made: dict[object, object] = field(default_factory=dict)
    deciders: dict[object, set[int]] = field(default_factory=dict)
    places: dict[object, Place] = field(default_factory=dict)
    turns: dict[object, tuple[str, tuple[int, int, int], bool]] = field(default_factory=dict)
    """For each choice, the one by the way to its test, on which ranks agree that decide alike."""
    alike: frozenset[object] = frozenset()
    apart: Mapping[object, object] = field(default_factory=dict)
    compared: dict[Symbol, list[tuple[str, object, object]]] = field(default_factory=dict)
    """The choices about comparisons of each symbol with constants: operator, constant, outcome."""
    counted: dict[object, int] = field(default_factory=dict)
    """The numbers of items of lists that were made in passes whose number is chosen."""
    chosen_lengths: ChosenLengths = field(default_factory=ChosenLengths)
    _reversed: set[tuple[Place, int | None]] = field(init=False)

    def __post_init__(self) -> None:
        self._reversed = {(key.place, key.number) for key in self.given if isinstance(key, EveryPass)}

    def outcome(self, symbol: Symbol, rank: Rank) -> bool:
        """The outcome of a symbol as a test."""
        key, truth = normal(symbol)
        branch = _padding(rank)
        if branch is not None:
            padding = rank.frames[-1].prepared.padding
            key, is_opposite = self._of_padding(key, padding.removes(branch), padding.changes_one(branch))
            truth = truth is not is_opposite
        default = by_default(key) and not (branch is not None and _is_long(key))
        if compares_with_nothing(key, self.made):
            return not truth
        if key == ("truth", symbol) and is_filled(symbol):
            return True
        known = self._compared(key)
        found = self._choose(key, rank, default) if known is None else known
        if branch is not None and not found:
            self._reach(key)
        return bool(found) is truth

    def _counts_up(self, key: object) -> bool:
        """Whether a number has exceeded each of several numbers in turn: a loop that counts up to it ends."""
        match key:
            case ("test", ">" | ">=" as operator, Symbol() as number, ("int", int(reached))):
                before = range(reached - MAX_COUNTED, reached)
                return all(self.made.get(("test", operator, number, ("int", one))) is True for one in before)
        return False

    def _of_padding(self, key: object, removes: bool, changes_one: bool) -> tuple[object, bool]:
        """A comparison with the length of a list that was guessed, by its number, and whether it is the opposite.

        ``n > len(own)`` is ``n > 2``. All ranks pad to the same length, which no list exceeds, or shorten to one.
        """
        match key:
            case ("test", ">", Symbol() as more, ("int", 0)) if (self.chosen_lengths.number(more) or 0) < 0:
                raise Cut(_UNEQUAL)
            case ("test", ">" | ">=" as operator, left, right):
                for one, other, is_opposite in ((left, right, False), (right, left, True)):
                    bound = self.chosen_lengths.bound(one, other)
                    if bound is not None:
                        whole, held = bound
                        self._hold(whole, held, removes)
                        if changes_one:
                            self._hold(whole, held + (-1 if removes else 1), not removes)
                        turned = _OPPOSITE[operator] if is_opposite else operator
                        return ("test", turned, whole, ("int", held)), is_opposite
        return key, False

    def _hold(self, whole: Symbol, held: int, is_most: bool) -> None:
        """The length to which lists are brought is at most, or at least, what one list has."""
        operator = ">" if is_most else ">="
        known = self.count(whole)
        implied = self._implied(whole, operator, held) if known is None else _holds(known, operator, held)
        if implied is is_most:
            raise Cut(_UNEQUAL)
        self._remember(whole, operator, held, not is_most)

    def _reach(self, key: object) -> None:
        """A list has reached the length to which it is padded."""
        match key:
            case ("test", ">", Symbol() as whole, ("int", int(held))):
                self.chosen_lengths.equals(whole, held)

    def _compared(self, key: object) -> bool | None:
        """The outcome of a comparison that follows from how its sides are computed."""
        match key:
            case ("test", "==" | ">" | ">=" as operator, left, right):
                difference = self.chosen_lengths.difference(left, right)
                return None if difference is None else _holds(difference, operator, 0)
        return None

    def length(self, symbol: Symbol, rank: Rank) -> int:
        """The number of items of a symbol; a range up to the length of a container has as many as that."""
        container = lengths.container(symbol)
        if container in self.counted:
            return self.counted[container]
        key = self.chosen_lengths.choice(symbol, rank.world.size)
        made = self.made.get(key)
        known = lengths.stated(symbol) if made is None else None
        if known is None and made is None:
            known = self.chosen_lengths.items(symbol)
        if known is not None and known <= lengths.MAX_ITEMS:
            if known < 0 and (symbol.key[0] == ("str", "repeated") or _padding(rank) is not None):
                raise Cut(_UNEQUAL)
            return max(known, 0)
        found = self._choose(key, rank, self._candidates(key)[0])
        assert isinstance(found, int)
        self.chosen_lengths.has(symbol, found)
        return found

    def _candidates(self, key: object) -> Sequence[int]:
        """The numbers of items to try, without those that disagree with what was chosen about the end of a range."""
        candidates = self.chosen_lengths.candidates(key)
        match key:
            case ("length", Symbol(key=(("str", "range"), Symbol() as end))):
                known = self.compared.get(end, [])
                return [n for n in candidates if all(_holds(n, o, c) is made for o, c, made in known)] or candidates
        return candidates

    def length_of(self, container: object, rank: Rank) -> int | None:
        """The number of items of a container; None if it is not one that the program has."""
        if container in self.counted:
            return self.counted[container]
        return self.length(container, rank) if isinstance(container, Symbol) else None

    def _choose(self, key: object, rank: Rank, default: object) -> object:
        if rank.number == 0 and key in self.apart:
            return self.apart[key]
        agreed = ("alike", rank.turn, isinstance(key, tuple) and key[0] == "length")
        if key in self.alike or compares_own_names(key, rank.number):
            key = agreed
        self.deciders.setdefault(key, set()).add(rank.number)
        if key not in self.made:
            self.turns[key] = agreed
            place = self.places[key] = _place(rank)
            if isinstance(default, bool):
                is_reversed = not is_with_infinity(key) and self._is_reversed(place, rank)
                default = default is not is_reversed and not self._counts_up(key)
            parts = comparison(key)
            implied = self._implied(*parts, rank.turn[2]) if parts is not None else None
            self.made[key] = self.given.get(key, default) if implied is None else implied
            divided = _remainder(key, self.made[key])
            if divided is not None:
                self.chosen_lengths.tested(*divided)
            if implied is not None:
                self.given[key] = implied
            elif parts is not None:
                self._remember(*parts, self.made[key])
        return self.made[key]

    def _is_reversed(self, place: Place, rank: Rank) -> bool:
        """Whether a test has the outcome that it does not have by default."""
        if rank.frames and rank.frames[-1].tests_end(*rank.turn[:2]):
            return True
        return not self._reversed.isdisjoint({(place, None), (place, rank.number)})

    def number_of(self, symbol: Symbol) -> int | None:
        """The number that a choice has made a symbol equal to."""
        known = (c for operator, c, made in self.compared.get(symbol, ()) if operator == "==" and made is True)
        return next((one for one in known if isinstance(one, int) and not isinstance(one, bool)), None)

    def names_no_rank(self, size: int) -> bool:
        """Whether a value is compared with every rank and chosen to be none of them: it is likely to be one."""
        for known in self.compared.values():
            others = {constant for operator, constant, outcome in known if operator == "==" and outcome is False}
            if others.issuperset(range(size)):
                return True
        return False

    def _remember(self, symbol: Symbol, operator: str, constant: object, outcome: object) -> None:
        """Keep a choice about a comparison, and drop the bounds that it makes superfluous."""
        if operator == "==" and outcome is True and type(constant) is int:
            self.chosen_lengths.equals(symbol, constant)
        known = self.compared.setdefault(symbol, [])
        if operator in _ORDERED and isinstance(constant, (int, float)):
            known[:] = [one for one in known if not _is_weaker(one, constant, outcome)]
        known.append((operator, constant, outcome))

    def _implied(self, symbol: Symbol, operator: str, constant: object, visits: int = 0) -> bool | None:
        """The outcome that earlier choices about the same symbol and constants leave, if it is one only.

        A test that is made as often as there are items, ``visits``, counts them.
        """
        count = self.count(symbol)
        if count is not None and isinstance(constant, int) and constant <= (count if visits < count else visits + 1):
            return _holds(count, operator, constant)
        rest = self._rest(symbol)
        if rest is not None:
            return bool(rest) if operator == "truth" else _holds(rest, operator, constant)
        known = self.compared.get(symbol, [])
        if not known:
            return None
        if symbol.kind == "int" and all(
            whole_numbers.is_of_one(o, c) for o, c, _ in [*known, (operator, constant, None)]
        ):
            return whole_numbers.implied(known, operator, constant)
        known = known[-MAX_COMPARISONS:]
        candidates = _numbers([constant, *(c for _, c, _ in known)])
        left = [x for x in candidates if all(_holds(x, o, c) is made for o, c, made in known)]
        outcomes = {_holds(x, operator, constant) for x in left}
        return outcomes.pop() if len(outcomes) == 1 else None

    def _rest(self, symbol: Symbol) -> int | None:
        """What is left when a number of items that is known in this world is divided."""
        match symbol.key:
            case (("str", "operation"), ("str", "%"), Symbol() as number, ("int", int(divisor))) if divisor > 0:
                count = self.count(number)
                return None if count is None else count % divisor
        return None

    def count(self, number: Symbol) -> int | None:
        """A number that follows from numbers of items."""
        counted = self.counted.get(lengths.counted(number))
        return self.chosen_lengths.number(number) if counted is None else counted

    def without_passes(self, keys: Iterable[object]) -> dict[object, object]:
        """The given choices without those about all passes of one rank, or of the tests of which some choices are."""
        places = {self.places[key] for key in keys}
        return {
            key: value
            for key, value in self.given.items()
            if not isinstance(key, EveryPass) or (key.number is None and key.place not in places)
        }

    def _repeated(self) -> dict[object, tuple[int | None, ...]]:
        """The first choices of tests that are made several times, with the ranks for which all may be different."""
        tests = [key for key, outcome in self.made.items() if isinstance(outcome, bool) and key not in self.given]
        passes = Counter(self.places[key] for key in tests)
        first: dict[Place, object] = {}
        for key in tests:
            first.setdefault(self.places[key], key)
        ranks = {number for deciders in self.deciders.values() for number in deciders}
        return {
            key: (None,) if self.deciders[key] >= ranks else (min(self.deciders[key]), None)
            for place, key in first.items()
            if passes[place] > 1
        }

    def alternatives(self) -> Iterable[Alternative]:
        """The choices of worlds in which one, made by default here, has a different outcome."""
        before: dict[object, object] = {key: True for key in self.given if isinstance(key, EveryPass)}
        repeated = {} if self.given else self._repeated()
        repeatedly = {self.places[key] for key, ranks in repeated.items() if len(ranks) > 1}
        for key, outcome in self.made.items():
            if key not in self.given:
                place = self.places[key]
                is_length = isinstance(outcome, int) and not isinstance(outcome, bool)
                others = self._candidates(key) if is_length else (True, False)
                ranks = repeated.get(key, ())
                is_unlikely = is_with_infinity(key) or (place[1] < 0 and not is_length)
                for other in others:
                    if other is not outcome:
                        yield Alternative(place, {**before, key: other}, is_unlikely, place in repeatedly)
                for number in ranks:
                    every = EveryPass(place, number)
                    yield Alternative(every, {**before, every: True}, place[1] < 0 or number != ranks[0])
            before[key] = outcome


def _remainder(key: object, outcome: object) -> tuple[object, int] | None:
    """What is divisible by what, if a choice says so: ``n % size == 0``, or ``n % size`` that does not hold."""
    match key, outcome:
        case (("test", "==", Symbol() as rest, ("int", 0)), True) | (("truth", Symbol() as rest), False):
            match rest.key:
                case (("str", "operation"), ("str", "%"), number, ("int", int(divisor))) if divisor > 0:
                    return number, divisor
    return None


def _padding(rank: Rank) -> ir.Branch | None:
    """The branch of the test that a rank makes, if it adds items to a list, and asks for the length of the list."""
    frame = rank.frames[-1] if rank.frames else None
    if frame is None or rank.turn[0] != frame.path or not 0 <= rank.turn[1] < len(frame.function.blocks):
        return None
    branch = frame.function.blocks[rank.turn[1]].terminator
    return branch if isinstance(branch, ir.Branch) and frame.prepared.padding.around(branch) else None


def _is_long(key: object) -> bool:
    """Whether a list is longer than those that are tried, so that its padding ends: other ranks have to follow."""
    match key:
        case ("test", _, Symbol(), ("int", int(held))):
            return held > max(LENGTHS)
    return False


def _place(rank: Rank) -> Place:
    """The place of the test that a rank makes; -1 for the block if it is none of a branch of the current function."""
    if not rank.frames:
        return 0, rank.turn[1]
    frame = rank.frames[-1]
    return id(frame.function), rank.turn[1] if rank.turn[0] == frame.path else -1


def _is_weaker(known: tuple[str, object, object], bound: float, outcome: object) -> bool:
    """Whether a bound of the same kind follows from a new one."""
    operator, constant, made = known
    if operator not in _ORDERED or made is not outcome or not isinstance(constant, (int, float)):
        return False
    return constant < bound if outcome else constant > bound


def _numbers(constants: list[object]) -> list[object]:
    found: list[object] = [None, "", "another text", 0]
    for constant in constants:
        if isinstance(constant, bool):
            found += [True, False]
        elif isinstance(constant, (int, float)):
            found += [constant - 0.5, constant, constant + 0.5]
        elif isinstance(constant, tuple):
            found += constant
        else:
            found.append(constant)
    return found


def _holds(value: object, operator: str, constant: object) -> bool | None:
    if operator == "truth":
        return bool(value)
    if operator == "is":
        return value is constant
    if operator == "==":
        return value == constant
    if operator == "in":
        return value in constant if isinstance(constant, tuple) else None
    if isinstance(value, (int, float)) and isinstance(constant, (int, float)):
        return value > constant if operator == ">" else value >= constant
    return None
