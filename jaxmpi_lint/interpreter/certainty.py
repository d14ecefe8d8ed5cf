"""How certain a fault is: what the difference between the ranks depends on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import item_orders, left_out
from jaxmpi_lint.interpreter.causes import attribute
from jaxmpi_lint.interpreter.connected_choices import are_connected
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.entries import Entry
from jaxmpi_lint.interpreter.events import Collective, Receive, Send
from jaxmpi_lint.interpreter.normal_tests import is_mark
from jaxmpi_lint.interpreter.path_parts import is_of_process
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.pure_values import is_determined
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols, symbols_of
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.variations import is_failure
from jaxmpi_lint.interpreter.verdicts import FILES, MEETINGS, POINT_TO_POINT, Fault, Kind, Verdict
from jaxmpi_lint.interpreter.world import Process, World

MAX_STEPS = 20_000
"""Steps of one world, of all its ranks."""


_COMMUNICATION = (Collective, Send, Receive)
_LATE = frozenset({Kind.UNMATCHED_SEND, Kind.BUFFERING})
"""Faults of messages that arrive when no rank waits for them."""


@dataclass(slots=True)
class Found:
    """A fault with the number of ranks of its world, and what the difference depends on.

    ``certainty``: 3 computed from ranks and sizes, 2 values that belong to one process, 1 an unknown call.
    ``is_of_defaults`` if the options of the command line have their defaults, ``is_guessed`` if unknown calls are all
    that makes it uncertain, ``is_of_root_only`` if a rank fails on the None that a collective returns to all ranks but
    the root: no choice explains that.
    """

    fault: Fault
    size: int
    certainty: int
    decisions: dict[object, object]
    world: World
    is_at_some_sizes: bool = False
    is_of_defaults: bool = False
    is_guessed: bool = False
    is_of_root_only: bool = False

    def doubt(self) -> None:
        """Take a fault for uncertain, whatever unknown calls return."""
        self.certainty, self.is_guessed = 1, False


def judged(
    program: Program, symbols: Symbols, verdict: Verdict, entry: Entry, size: int, given: dict[object, object]
) -> Found:
    """The fault of a world, with its causes and how certain it is; some choices are made again for that."""
    fault = verdict.fault
    assert fault is not None
    attribute(fault, verdict.world)
    fault.cause = _last_handler(fault, verdict.world) or fault.cause
    certainty, is_guessed = 3, False
    partial = _partial(verdict.world)
    if partial:
        given = verdict.world.decisions.without_passes(partial)
        common = _common(verdict.world, partial) if fault.kind in (Kind.PARTED, Kind.MISMATCH) else {}
        given |= common
        guesses = frozenset(key for key in partial if _is_guess(key))
        alike = partial if common else _comparable(verdict.world, partial)
        if not _faulty(program, symbols, entry, size, _without(given, partial), alike, verdict.world.buffering):
            certainty = 2
            if guesses and not _faulty(program, symbols, entry, size, given, guesses, verdict.world.buffering):
                certainty, is_guessed = 1, True
    if certainty < 3:
        item_orders.attribute(fault, verdict.world)
    if _is_doubtful(fault, verdict.world, partial):
        certainty, is_guessed = 1, False
    made = dict(verdict.world.decisions.made)
    found = Found(fault, size, certainty, made, verdict.world, is_guessed=is_guessed)
    found.is_of_root_only = _is_of_root_only(program, symbols, found, entry, given)
    return found


def _without(given: dict[object, object], partial: frozenset[object]) -> dict[object, object]:
    return {key: value for key, value in given.items() if key not in partial}


def _comparable(world: World, partial: frozenset[object]) -> frozenset[object]:
    """The choices of single ranks at tests to which several ranks come."""
    visited = Counter(key for one in world.processes for key in {turn.key for turn in one.rank.turns})
    places = {key: world.decisions.turns[key][1] for key in partial if key in world.decisions.turns}
    return frozenset(key for key in partial if key not in places or visited[places[key]] > 1)


def _is_of_root_only(
    program: Program, symbols: Symbols, found: Found, entry: Entry, given: dict[object, object]
) -> bool:
    """Whether a failure on None goes if collectives answer all ranks, and no choice may be one of ranks."""
    world = found.world
    numbers = {found.fault.rank, found.fault.other_rank}
    if not _fails_on_none(world, numbers) or any(map(_may_be_role, world.decisions.made)):
        return False
    answered = World(program, symbols, world.size, Decisions(dict(given)), MAX_STEPS, world.buffering)
    answered.answers_all = True
    answered.run(entry)
    return not _fails_on_none(answered, numbers)


def _fails_on_none(world: World, numbers: Collection[int | None]) -> bool:
    """Whether an operation on None ends one of the ranks of a fault."""
    errors = (process.error for process in world.processes if process.rank.number in numbers)
    return any(error is not None and error.value.fields.get("*none") for error in errors)


def _is_doubtful(fault: Fault, world: World, partial: frozenset[object]) -> bool:
    """Whether something else than the choices that not all ranks made, ``partial``, makes a fault uncertain."""
    if fault.kind in MEETINGS and partial and _is_free(world, fault):
        return True  # the outcomes that were chosen may be impossible together
    if fault.kind in POINT_TO_POINT and _ends_by_mark(fault, world):
        return True  # data that happens to be equal to the mark which ends a loop
    if fault.kind in _LATE and any("clock" in one.own for key in partial for one in _tested(key)):
        return True  # a rank that waits until a deadline leaves late messages on purpose
    if left_out.may_explain(fault, world):
        return True
    may_select = _may_be_role if fault.kind is Kind.SOUGHT_PATH else _may_select_ranks
    if fault.kind in FILES and any(map(may_select, world.decisions.made)):
        return True  # a rank by a library without a model is one symbol for all ranks
    # Without an error as the cause, the handler is not what parts the ranks: the failure itself is not likely enough.
    return is_failure(world.notes.get("departure")) and (fault.cause is None or fault.cause.error is None)


def _last_handler(fault: Fault, world: World) -> Turn | None:
    """The handler of the failure of this world, after which a rank does not do what another one waits for."""
    if not is_failure(world.notes.get("departure")):
        return None
    if fault.kind in (Kind.DEADLOCK, Kind.UNMATCHED_RECEIVE):
        return next(filter(None, (_silent_handler(process, world) for process in world.processes)), None)
    if fault.kind not in (Kind.PARTED, Kind.MISMATCH) or fault.other_rank is None or fault.other_rank < 0:
        return None
    other = world.processes[fault.other_rank]
    last = next((turn for turn in reversed(other.rank.turns) if _handles_departure(turn)), None)
    if last is None or other.error is not None:
        return None
    has_ended = last is other.rank.turns[-1] and last.events >= len(other.log)
    return last if has_ended or (_is_on_way(last, fault) and not _asks(fault.cause)) else None


def _is_on_way(handler: Turn, fault: Fault) -> bool:
    """Whether a call in the function of a handler leads to the event of a fault."""
    function = handler.frame.function
    calls = (call for call in fault.place.calls if call is not None)
    return any(call[0] is handler.module and ir.contains(function.span, call[1]) for call in calls)


def _asks(turn: Turn | None) -> bool:
    """Whether a branch parts the ranks by a value that is not known."""
    return turn is not None and bool(turn.asked)


def _silent_handler(process: Process, world: World) -> Turn | None:
    """The last handler of a rank, if it sends nothing afterwards and another rank waits for a message from it."""
    last = next((turn for turn in reversed(process.rank.turns) if _handles_departure(turn)), None)
    if last is None or process.error is not None or any(isinstance(e, Send) for e in process.log[last.events :]):
        return None
    waited = (other.pending for other in world.processes if other is not process)
    sources = {event.source for event in waited if isinstance(event, Receive)}
    return None if sources.isdisjoint({-1, process.rank.number}) else last


def _handles_departure(turn: Turn) -> bool:
    return turn.handler is not None and turn.error is not None and bool(turn.error.value.fields.get("*departs"))


def _ends_by_mark(fault: Fault, world: World) -> bool:
    """Whether the other rank has left a loop, its last undecided test, because an element is equal to a number.

    A mark that is sent on purpose has a known value.
    """
    if fault.other_rank is None or fault.other_rank < 0:
        return False
    last = next((turn for turn in reversed(world.processes[fault.other_rank].rank.turns) if turn.asked), None)
    if last is None or last.branch is None or last.branch.kind != "while":
        return False
    return any(is_mark(symbol, outcome) for symbol, outcome in last.asked)


def _is_free(world: World, fault: Fault) -> bool:
    """Whether the branches around communication that ranks test with different values were all chosen freely.

    These are tests of values that are determined for each rank, but were not computed. Around messages, so are the
    results of unknown calls that are not of data of a process: a library may say which neighbours a rank has.
    """
    logged = (event for process in world.processes for event in process.log if isinstance(event, _COMMUNICATION))
    places = {(event.place.module.path, event.place.span) for event in (*logged, fault.event)}
    asked: dict[Symbol, set[int]] = {}
    for process in world.processes:
        for turn in process.rank.turns:
            if turn.asked and turn.branch is not None and _is_around(turn.module.path, turn.branch.extent, places):
                for symbol, _ in turn.asked:
                    asked.setdefault(symbol, set()).add(process.rank.number)
    different = [symbol for symbol, ranks in asked.items() if len(ranks) < world.size]
    is_of_messages = fault.kind in POINT_TO_POINT
    return bool(different) and all(
        is_determined(symbol) or (is_of_messages and symbol.is_guess and not symbol.own) for symbol in different
    )


def _is_around(path: str, extent: ir.Span, places: set[tuple[str, ir.Span]]) -> bool:
    return any(path == other and extent[0] <= span[0] and span[1] <= extent[1] for other, span in places)


def _common(world: World, partial: frozenset[object]) -> dict[object, object]:
    """The choices of single ranks, if they are no failures and about no roles, at tests that only these ranks make.

    None if two of them are about one number: ranks that loop equally often would be taken to differ.
    """
    decisions = world.decisions
    if are_connected(partial):
        return {}
    asked = {decisions.turns[key] for key in partial}
    visited = [{turn.key for turn in one.rank.turns} for one in world.processes]
    for key in partial:
        _, place, _ = decisions.turns[key]
        asking = {number for number, places in enumerate(visited) if place in places}
        is_of_surroundings = any(symbol.own & _OF_SURROUNDINGS for symbol in symbols_of(key))
        if is_of_surroundings or _names_role(key) or not asking <= decisions.deciders[key]:
            return {}
    return {decisions.turns[key]: decisions.made[key] for key in partial} if len(asked) == len(partial) else {}


_OF_SURROUNDINGS = frozenset({"files", "machine"})
"""What may fail or differ without a decision of the program."""


def _names_role(key: object) -> bool:
    """Whether a test is one of a value that is named like a role."""
    return any(_ROLES.search(word) for part in _tested(key) for word in part.words())


def _partial(world: World) -> frozenset[object]:
    """The choices that not all ranks made: their symbols differ between ranks."""
    every = world.size
    return frozenset(key for key, ranks in world.decisions.deciders.items() if len(ranks) < every)


_ROLES = re.compile(
    r"(?<!per)(?<!per[_ ])rank|main|master|root|lead|primary|chief|head|process|node|worker", re.IGNORECASE
)


def _may_select_ranks(key: object) -> bool:
    """Whether a choice may be one of ranks: of a role, or of data that one process of JAX holds."""
    return _may_be_role(key) or any(map(is_of_process, _tested(key)))


def _may_be_role(key: object) -> bool:
    """Whether a choice is about the result of an unknown call, or a test of a value that is named like a role.

    How many items an unknown call returns says nothing about ranks.
    """
    is_length = isinstance(key, tuple) and key[0] == "length"
    return (_is_guess(key) and not is_length) or _names_role(key)


def _tested(key: object) -> list[Symbol]:
    """The symbols of a test; the words of data of which only the number of items is chosen name no role."""
    if isinstance(key, tuple) and key[0] == "length":
        return []
    return [part for part in (key if isinstance(key, tuple) else (key,)) if isinstance(part, Symbol)]


def _is_guess(key: object) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return any(isinstance(part, Symbol) and part.is_guess for part in parts)


def _faulty(
    program: Program,
    symbols: Symbols,
    entry: Entry,
    size: int,
    given: dict[object, object],
    alike: frozenset[object],
    buffering: bool,
) -> bool:
    """Whether the fault stays if choices that only some ranks make are made alike on all."""
    decisions = Decisions({key: value for key, value in given.items() if key not in alike}, alike=alike)
    verdict = World(program, symbols, size, decisions, MAX_STEPS, buffering).run(entry)
    return verdict.fault is not None
