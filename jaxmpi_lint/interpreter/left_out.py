"""Whether a fault may be due to passes of a long loop that are left out: they may have communicated differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import counted_passes
from jaxmpi_lint.interpreter.connected_choices import part_independently
from jaxmpi_lint.interpreter.counted_passes import is_inside
from jaxmpi_lint.interpreter.events import Collective, Event, Receive, Send, Wait
from jaxmpi_lint.interpreter.loops import LEFT_EARLY, SAMPLED, SOME_ITEMS
from jaxmpi_lint.interpreter.symbols import Symbol, reachable
from jaxmpi_lint.interpreter.untaken_exits import UNTAKEN
from jaxmpi_lint.interpreter.untaken_tags import is_never_taken
from jaxmpi_lint.interpreter.verdicts import POINT_TO_POINT, Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import ProcessView as Process
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.turns import Turn

_COUNTED = POINT_TO_POINT | {Kind.PARTED, Kind.MISMATCH, Kind.LIST_LENGTH, Kind.COUNT}
"""Faults that compare how often ranks communicate, or how much."""

_MEETINGS = frozenset({Kind.DEADLOCK, Kind.PARTED, Kind.MISMATCH})
"""Faults in which ranks wait for each other, after calls that have met."""

_LOOPS = ("for", "while", "comprehension")
_COMMUNICATION = (Collective, Send, Receive, Wait)
_AFTER = ("str", "after passes")


def may_explain(fault: Fault, world: World) -> bool:
    """Whether the passes that are left out could make the ranks fit.

    Ranks that part at a branch and run the same loop have left out the same passes.
    """
    if is_never_taken(fault, world):
        return False
    if UNTAKEN in world.notes and not part_independently(fault):
        return True
    if LEFT_EARLY in world.notes and fault.kind in POINT_TO_POINT and not part_independently(fault):
        return fault.kind is not Kind.SELF or _sends_to_itself(world.processes[fault.rank])
    if fault.kind not in _COUNTED or not world.sampled_frames:
        return False
    is_of_branch = fault.cause is not None and (fault.cause.branch is None or fault.cause.branch.kind not in _LOOPS)
    is_met = fault.kind in _MEETINGS and is_of_branch
    partial = [key for key, ranks in world.decisions.deciders.items() if len(ranks) < world.size]
    if SOME_ITEMS in world.notes and partial and not is_met:
        return True
    if not is_met and any(map(_is_after_passes, world.decisions.made)):
        return True
    numbers = {fault.rank, fault.rank if fault.other_rank is None else fault.other_rank}
    involved = [process for process in world.processes if process.rank.number in numbers]
    common = {turn for turn, ranks in world.samplers.items() if is_met and numbers <= ranks}
    if any(_varies(process, *loop) for process in involved for loop in _long_loops(process, world, common)):
        return True
    return _are_incomparable(involved, world)


def _are_incomparable(involved: list[Process], world: World) -> bool:
    """Whether ranks communicate in different loops of which passes are left out, or one of them counts its passes."""
    lengths = [_long_lengths(process, world) for process in involved]
    if all(lengths):
        return len(set(map(frozenset, lengths))) > 1
    if not (any(lengths) or LEFT_EARLY in world.notes):
        return False
    return any(counted_passes.is_waited_in(one, other, world) for one, other in permutations(involved, 2))


def _long_lengths(process: Process, world: World) -> set[int]:
    """The numbers of passes of the sampled loops in which a rank communicates, unless all ranks run them."""
    common = {turn for turn, ranks in world.samplers.items() if len(ranks) == world.size}
    loops = [tests for tests, _ in _long_loops(process, world, common)]
    held = [tests for tests in loops if _places(process.log[tests[0].events : tests[-1].events])]
    return {world.lengths[tests[0].key] for tests in held}


def _sends_to_itself(process: Process) -> bool:
    """Whether a rank has sent a message to itself, so that it may do so in the passes that are left out."""
    return any(isinstance(event, Send) and event.dest == event.communicator.number for event in process.log)


def _is_after_passes(key: object) -> bool:
    """Whether a choice is about a number that all ranks count alike in passes of which some are left out."""
    if not isinstance(key, tuple) or key[0] != "length":
        return False
    symbols = [part for part in key if isinstance(part, Symbol)]
    return any(one.key[0] == _AFTER for symbol in symbols if not symbol.own for one in reachable(symbol))


def _long_loops(process: Process, world: World, common: Collection[object]) -> Iterator[tuple[list[Turn], list[Turn]]]:
    """The tests of each other sampled loop of a rank, in the order of its passes, and the branches after the last."""
    turns = process.rank.turns
    for start, first in enumerate(turns):
        if first.key in world.lengths and first.key not in common and first.outcome:
            tests = [turn for turn in turns[start:] if turn.key[:2] == first.key[:2]]
            ended = next((number for number, turn in enumerate(tests, 1) if not turn.outcome), len(tests))
            yield tests[:ended], turns[turns.index(tests[ended - 1]) + 1 :]


def _varies(process: Process, tests: list[Turn], following: list[Turn]) -> bool:
    """Whether the passes of a loop communicate differently, or a known test may have ended the loop in the last one."""
    made = [Counter(_places(process.log[turn.events : after.events])) for turn, after in pairwise(tests)]
    has_left = bool(following) and not any(turn.asked for turn in following) and not is_inside(process, tests[-1])
    is_in_last = len(tests) > SAMPLED and tests[-1].outcome and has_left
    return is_in_last or any(one != made[0] for one in made)


def _places(events: list[Event]) -> list[object]:
    return [(one.place.module.path, one.place.span) for one in events if isinstance(one, _COMMUNICATION)]
