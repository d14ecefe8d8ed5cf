"""An entry that is run as without arguments: its options have their defaults."""

from __future__ import annotations

from collections.abc import Collection

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import doubts
from jaxmpi_lint.interpreter.agenda import Agenda
from jaxmpi_lint.interpreter.causes import messages_in
from jaxmpi_lint.interpreter.certainty import MAX_STEPS, Found, judged
from jaxmpi_lint.interpreter.container_values import NO_ARGUMENT
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.entries import Entry
from jaxmpi_lint.interpreter.explored import Explored, ends_itself, note_size
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.sizes import LARGEST, SIZES
from jaxmpi_lint.interpreter.symbols import Symbols
from jaxmpi_lint.interpreter.verdicts import Kind, Verdict
from jaxmpi_lint.interpreter.world import World

MAX_WORLDS = 3
"""Worlds for each number of ranks."""


def follow(program: Program, entry: Entry, result: Explored, allowed: int) -> None:
    """Run an entry as without arguments: its options have their defaults."""
    known = {(one.fault.kind, one.fault.place.span) for one in result.found if one.certainty == 3}
    doubted = {one.fault.place.span for one in result.found if one.fault.kind is Kind.LIST_LENGTH}
    before = len(result.found)
    limit = result.steps + min(MAX_STEPS, allowed // 2)
    named: set[int] = set()
    for size in SIZES:
        named |= _follow_of_size(program, entry, size, result, (allowed, limit), known)
    larger = [size for size in named - result.named if SIZES[-1] < size <= LARGEST]
    if larger and not result.larger:
        result.larger = max(larger)
        limit = result.steps + min(MAX_STEPS, allowed)
        _follow_of_size(program, entry, result.larger, result, (allowed, limit), known)
    result.found[before:] = _with_lengths_of_size(result.found[before:], doubted)


def _with_lengths_of_size(found: list[Found], doubted: Collection[ir.Span]) -> list[Found]:
    """The faults without lists that other options make as long as needed, unless their lengths follow the size."""
    lengths: dict[ir.Span, set[int]] = {}
    for one in found:
        if one.fault.kind is Kind.LIST_LENGTH:
            lengths.setdefault(one.fault.place.span, set()).add(one.fault.constant or 0)
    fixed = {span for span in doubted if len(lengths.get(span, ())) < 2}
    return [one for one in found if one.fault.kind is not Kind.LIST_LENGTH or one.fault.place.span not in fixed]


def _follow_of_size(
    program: Program,
    entry: Entry,
    size: int,
    result: Explored,
    limits: tuple[int, int],
    known: Collection[object],
    needs_arguments: bool = False,
) -> set[int]:
    """The numbers of ranks that the worlds of one number name; ``limits`` of a world and of all steps.

    ``needs_arguments``: some are given that are no options, which the program then reads.
    """
    symbols = Symbols(True, result.max_passes, result.is_lean, roles=result.roles, needs_arguments=needs_arguments)
    todo, named = Agenda(prefers_passes=True), set[int]()
    before, is_clean, fitting = len(result.found), False, set[tuple[str, ir.Span]]()
    for _ in range(MAX_WORLDS):
        if not todo or result.steps >= limits[1]:
            break
        given = todo.next()
        decisions = Decisions(dict(given))
        world = World(program, symbols, size, decisions, min(MAX_STEPS, limits[0]))
        verdict = world.run(entry)
        result.worlds += 1
        result.steps += world.steps
        if symbols.lacks_arguments and (verdict.cut == NO_ARGUMENT or _ends_early(verdict)):
            if not result.reads_options:
                break
            del result.found[before:]  # without a doubt that the other worlds would cast
            return named | _follow_of_size(program, entry, size, result, limits, known, needs_arguments=True)
        named |= world.named_sizes
        note_size(result, world)
        if not (verdict.cut or verdict.is_not_meant or ends_itself(world)):
            result.sizes.add(size)
        if verdict.fault is not None and (verdict.fault.kind, verdict.fault.place.span) not in known:
            found = judged(program, symbols, verdict, entry, size, given)
            found.is_of_defaults = True
            result.found.append(found)
        if not (verdict.fault or verdict.cut):
            is_clean = True
            fitting |= messages_in(world)
        todo.add(decisions)
    left_over = [one for one in result.found[before:] if one.fault.kind is not Kind.DEADLOCK]
    doubts.doubt(
        left_over, is_clean, fitting
    )  # a deadlock, where ranks compare their own data with a known limit, stays
    return named


def _ends_early(verdict: Verdict) -> bool:
    """Whether a rank has failed, or left others behind by an exit: it may explain which arguments it needs."""
    leaves_others = verdict.fault is not None
    return any(one.has_failed or (leaves_others and one.error is not None) for one in verdict.world.processes)
