"""All worlds of an entry: numbers of ranks, and outcomes of what the text does not decide."""

from __future__ import annotations

import traceback
from collections.abc import Collection

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import default_options, different_starts, doubts, swapped_messages, unbuffered
from jaxmpi_lint.interpreter.agenda import Agenda
from jaxmpi_lint.interpreter.causes import (
    collectives_in,
    common_collectives,
    launches_in,
    messages_in,
    parted_in,
)
from jaxmpi_lint.interpreter.certainty import MAX_STEPS, Found, judged
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.entries import Entry, entries
from jaxmpi_lint.interpreter.explored import Explored, ends_itself, note_rooted, note_size
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.replacements import Replacements
from jaxmpi_lint.interpreter.requests import completed_in, place_of
from jaxmpi_lint.interpreter.sizes import LARGEST, SIZES
from jaxmpi_lint.interpreter.stale import Stale
from jaxmpi_lint.interpreter.symbols import FEW_PASSES, Symbols
from jaxmpi_lint.interpreter.tests_of_ranks import TestsOfRanks
from jaxmpi_lint.interpreter.verdicts import MEETINGS, STALE, Fault, Kind, Verdict
from jaxmpi_lint.interpreter.world import TOO_MANY_STEPS, World

MAX_WORLDS = {2: 24, 3: 12, 4: 12}
"""Worlds for each number of ranks."""

MAX_WORLDS_OF_NAMED_SIZE = 4
"""Worlds for a larger number of ranks, which the program names."""

MAX_WORLDS_OF_FUNCTION = 60
"""Worlds of a function that is called alone, for each number of ranks: its steps are few."""

MAX_WORLDS_WITH_MARKS = 4
"""Worlds of an entry in which values are marked that some ranks keep."""

MAX_STEPS_OF_ENTRY = 60_000

_QUARTERS = (2, 3, 4)
"""Quarters of the steps of an entry, up to each number of ranks: most faults show with two ranks."""

STEPS_OF_PROJECT = 60_000
"""Steps of all entries of a project, beside those for the size of its files."""

STEPS_OF_LINE = 1
"""Further steps for each line of the project."""

MIN_STEPS_OF_ENTRY = 2_000

_RANKS = frozenset({Kind.PEER, Kind.ROOT_RANGE})
_LENGTHS = frozenset({Kind.LIST_LENGTH, Kind.COUNT})


def explore(program: Program, entry: Entry, allowed: int = MAX_STEPS_OF_ENTRY) -> Explored:
    """Run an entry with every number of ranks; ``allowed`` steps altogether."""
    result = Explored(entry, is_of_library=bool(entry.function) or program.is_of_library(entry.module))
    try:
        for size, quarters in zip(SIZES, _QUARTERS, strict=True):
            if not (result.is_decided or (result.is_too_long and entry.function)):
                _of_size(program, entry, size, result, allowed * quarters // 4)
        _add_swapped(result)
        if not (entry.function or result.is_too_long):
            _of_named_size(program, entry, result, allowed)
            _with_marks(program, entry, result, allowed)
            if (result.reads_options or result.reads_arguments) and not result.starts_differ:
                default_options.follow(program, entry, result, allowed)
    except Exception as error:  # an error of the interpreter loses the findings of this entry only
        result.found.clear()
        result.failure = (f"{type(error).__name__}: {error}".partition("\n")[0], traceback.format_exc())
    return result


def agrees(program: Program, explored: Explored, size: int, places: Collection[tuple[str, ir.Span]]) -> bool:
    """Whether all ranks come to some of the branches and leave them alike, in one world of a number of ranks."""
    if size not in explored.further:
        limit = MAX_STEPS if size <= 2 * SIZES[-1] else 2 * MAX_STEPS
        world, tests = World(program, Symbols(), size, Decisions(), limit), TestsOfRanks()
        is_cut = bool(world.run(explored.entry).cut)
        tests.add(world)
        explored.further[size] = None if is_cut else tests
    found = explored.further[size]
    return found is not None and not found.alike[size].isdisjoint(places) and found.unlike.isdisjoint(places)


def explore_all(program: Program) -> list[Explored]:
    """Run all entries of a project; what one leaves of its steps is for the later ones."""
    found = sorted(entries(program), key=lambda entry: entry.path)
    left = STEPS_OF_PROJECT + STEPS_OF_LINE * program.lines + MIN_STEPS_OF_ENTRY * len(found)
    results: list[Explored] = []
    for number, entry in enumerate(found):
        share = max(left // (len(found) - number), MIN_STEPS_OF_ENTRY)
        results.append(explore(program, entry, min(share, MAX_STEPS_OF_ENTRY)))
        left -= results[-1].steps
    return results


def _of_named_size(program: Program, entry: Entry, result: Explored, allowed: int) -> None:
    """Run an entry with the largest number of ranks that it names and that is small enough."""
    beyond = {one.fault.constant + 1 for one in result.found if one.fault.kind in _RANKS and one.fault.constant}
    fitting = {one.fault.constant for one in result.found if one.fault.kind in _LENGTHS and one.fault.constant}
    larger = [size for size in result.named | beyond | fitting if SIZES[-1] < size <= LARGEST]
    if larger:
        result.larger = max(larger)
        _of_size(program, entry, result.larger, result, allowed + min(MAX_STEPS, allowed))


def _of_size(program: Program, entry: Entry, size: int, result: Explored, allowed: int) -> None:
    symbols = Symbols(max_passes=result.max_passes, is_lean=result.is_lean, roles=result.roles)
    todo = Agenda()
    completed: set[object] = set()
    is_bounded = False
    before, is_clean = len(result.found), False
    was_too_long = result.is_too_long  # with fewer ranks: one world, for ranks that part early without any choice
    fitting: set[tuple[str, ir.Span]] = set()
    most = MAX_WORLDS.get(size, MAX_WORLDS_OF_NAMED_SIZE)
    for _ in range(MAX_WORLDS_OF_FUNCTION if entry.function else most):
        if not todo or result.steps >= allowed or result.is_decided:
            break
        given = todo.next()
        verdict = _run(program, symbols, size, given, min(MAX_STEPS, allowed), result)
        world = verdict.world
        result.reads_options = result.reads_options or symbols.reads_options
        result.reads_arguments = result.reads_arguments or symbols.reads_arguments
        result.named |= world.named_sizes
        result.thresholds |= world.thresholds
        note_size(result, world)
        completed |= completed_in(world)
        is_bounded = is_bounded or world.is_bounded or world.names_other_size
        result.parted |= parted_in(world)
        result.tests.add(world)
        result.met |= collectives_in(world)
        note_rooted(result, world)
        result.called.update(*(process.rank.called for process in world.processes))
        result.launched |= launches_in(world)
        result.joined.setdefault(size, set()).update(common_collectives(world))
        if verdict.cut:
            result.cuts.append(verdict)
            result.is_too_long = was_too_long or verdict.cut == TOO_MANY_STEPS
        elif not (verdict.is_not_meant or ends_itself(world)):
            result.sizes.add(size)
        verdict = _without_buffering(program, symbols, size, given, entry, verdict, result)
        if verdict.fault is not None and not (was_too_long and world.decisions.made):
            result.found.append(judged(program, symbols, verdict, entry, size, given))
        if not (verdict.fault or verdict.cut):
            is_clean = True
            if swapped_messages.of(world).receives:
                result.straight.setdefault(size, world)
            fitting |= messages_in(world)
        if result.is_too_long:
            break
        todo.add(world.decisions)
    if not todo and not is_bounded and not result.is_too_long:
        result.followed.add(size)
    result.found[before:] = [one for one in result.found[before:] if not _is_completed(one.fault, completed)]
    doubts.doubt(result.found[before:], is_clean, fitting)
    if not (is_clean or entry.function):
        doubts.assure(result.found[before:])
    different_starts.doubt(program, symbols, result, result.found[before:])


def _run(
    program: Program, symbols: Symbols, size: int, given: dict[object, object], limit: int, result: Explored
) -> Verdict:
    """Run one world; with fewer passes of its loops if it takes too many steps, and again if it learns something."""
    known = len(symbols.roles), len(program.lazy)
    world = World(program, symbols, size, Decisions(dict(given)), limit)
    verdict = world.run(result.entry)
    result.worlds += 1
    result.steps += world.steps
    if (len(symbols.roles), len(program.lazy)) != known:
        return _run(program, symbols, size, given, limit, result)
    if verdict.cut != TOO_MANY_STEPS or result.entry.function or not world.has_long_loop:
        return verdict
    if symbols.max_passes == FEW_PASSES:
        return verdict
    if symbols.is_lean or not world.sends:
        result.max_passes = symbols.max_passes = FEW_PASSES
        result.is_lean = symbols.is_lean = False
    else:
        result.is_lean = symbols.is_lean = True  # computations only: all messages are followed
        result.steps -= world.steps
    return _run(program, symbols, size, given, limit, result)


def _with_marks(program: Program, entry: Entry, result: Explored, allowed: int) -> None:
    """Look where the values go that ranks keep while another one replaces them; nothing else of these worlds counts."""
    symbols = Symbols(max_passes=result.max_passes, is_lean=result.is_lean, roles=result.roles)
    limit = min(MAX_STEPS, allowed)
    todo = Agenda()
    found: dict[object, Found] = {}
    for _ in range(MAX_WORLDS_WITH_MARKS):
        if not todo or result.steps >= allowed + limit:
            break
        decisions = Decisions(dict(todo.next()))
        world = World(program, symbols, SIZES[0], decisions, limit)
        world.stale = Stale(program.project.get(Replacements))
        verdict = world.run(entry)
        result.steps += world.steps
        if verdict.fault is not None and verdict.fault.kind in MEETINGS:
            world.stale.parted(world, verdict.fault)
        for fault in (fault for fault in world.faults if fault.kind in STALE):
            is_sure = fault.kind is Kind.STALE and not world.opaque and verdict.cut != TOO_MANY_STEPS
            made = Found(fault, world.size, 2 if is_sure else 1, dict(decisions.made), world)
            found.setdefault((fault.place.module.path, fault.place.span), made)
        if not world.stale.marks:
            break
        todo.add(decisions)
    result.found += found.values()


def _add_swapped(result: Explored) -> None:
    """Compare which receives take the messages with different numbers of ranks."""
    swapped = swapped_messages.fault({size: swapped_messages.of(world) for size, world in result.straight.items()})
    if swapped is not None:
        size, fault = swapped
        world = result.straight[size]
        result.found.append(Found(fault, size, 3, dict(world.decisions.made), world))


def _is_completed(fault: Fault, completed: set[object]) -> bool:
    """Whether a forgotten request is completed in another world: conditions on both could be connected."""
    return fault.kind is Kind.REQUEST and place_of(fault.event) in completed


def _without_buffering(
    program: Program,
    symbols: Symbols,
    size: int,
    given: dict[object, object],
    entry: Entry,
    verdict: Verdict,
    result: Explored,
) -> Verdict:
    """The verdict if sends wait for their receivers, which MPI permits; the same where nothing is sent.

    A request that is not completed does not keep a program from its end: what else is wrong is found beside it.
    """
    if verdict.cut or verdict.is_not_meant or (verdict.fault and verdict.fault.kind is not Kind.REQUEST):
        return verdict
    if not (verdict.world.sends and unbuffered.may_block(verdict.world)):
        return verdict
    world = World(program, symbols, size, Decisions(dict(given)), MAX_STEPS, buffering=False)
    strict = world.run(entry)
    result.steps += world.steps
    if strict.cut or strict.fault is None:
        return verdict
    if strict.fault.kind is Kind.DEADLOCK:
        strict.fault.kind = Kind.BUFFERING
    if verdict.fault is None:
        return strict
    if strict.fault.kind is Kind.BUFFERING and not (result.is_too_long and world.decisions.made):
        result.found.append(judged(program, symbols, strict, entry, size, given))
    return verdict
