"""Faults that other outcomes of what is not known may exclude, or that no outcome excludes."""

from __future__ import annotations

from collections.abc import Collection

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import agreed
from jaxmpi_lint.interpreter.certainty import Found
from jaxmpi_lint.interpreter.connected_choices import (
    are_connected,
    decides_lengths_twice,
    has_empty,
    part_independently,
)
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.verdicts import MEETINGS, POINT_TO_POINT, Kind

_FEWEST_ALIKE = 2
"""Worlds with one fault, for other results of unknown calls, that make the fault likely."""


def assure(found: list[Found]) -> None:
    """Raise the certainty of a fault that all worlds of a number of ranks have, whatever the unknown calls return."""
    places = {(one.fault.kind, one.fault.place.span, one.fault.place.module.path) for one in found}
    if len(places) == 1 and len(found) >= _FEWEST_ALIKE and all(one.is_guessed for one in found):
        for one in found:
            one.certainty = 3


def doubt(found: list[Found], is_clean: bool, fitting: Collection[tuple[str, ir.Span]]) -> None:
    """Lower the certainty of faults of one number of ranks that other outcomes may exclude.

    ``is_clean`` if some world shows no fault, ``fitting`` are the places of messages in such worlds.
    """
    lengths = {one.fault.constant for one in found if one.fault.kind is Kind.LIST_LENGTH}
    for one in found:
        if one.fault.kind is Kind.LIST_LENGTH and (is_clean or len(lengths) > 1):
            one.doubt()  # other outcomes make a list that fits
    for one in found if is_clean else ():
        if one.is_of_root_only:
            continue
        if one.fault.kind is Kind.LONE_VALUE and one.decisions:
            one.doubt()  # the choices may be why the value is None, as where a loop has no passes
        if one.fault.kind is Kind.SAME_DRAWS and _has_own_choices(one):
            one.doubt()  # the choices may be why the values are equal, as the zero of `comm.exscan(n) or 0`
        place = one.fault.place.module.path, one.fault.place.span
        is_exchange = one.fault.kind in POINT_TO_POINT and not part_independently(one.fault)
        is_exchange = is_exchange and (one.fault.kind is not Kind.BUFFERING or place in fitting)
        if is_exchange and are_connected(one.world.decisions.chosen_lengths.decided(one.decisions)):
            one.doubt()  # the numbers of messages depend on values that may exclude each other
        if isinstance(one.fault.event, Collective) and decides_lengths_twice(
            one.decisions, agreed.contributions(one.world)
        ):
            one.doubt()  # a number of all ranks and those that it is computed from were chosen
    for one in found:
        is_empty = one.fault.kind in POINT_TO_POINT and has_empty(one.decisions)
        is_empty = is_empty or (one.fault.kind in MEETINGS and _skips_a_loop(one))
        if is_empty or one.world.decisions.names_no_rank(one.size):
            one.doubt()  # an unusual world; faults of others are found there too


def _has_own_choices(found: Found) -> bool:
    """Whether only some ranks have made a choice."""
    return any(len(ranks) < found.size for ranks in found.world.decisions.deciders.values())


def _skips_a_loop(found: Found) -> bool:
    """Whether a rank makes no pass of a loop, as where an option says so: no rank has a known value in its test."""
    known = {turn.key[:2] for process in found.world.processes for turn in process.rank.turns if not turn.asked}
    entered: set[tuple[int, int, int]] = set()
    for process in found.world.processes:
        for turn in process.rank.turns:
            place = process.rank.number, *turn.key[:2]
            is_of_loop = turn.branch is not None and turn.branch.kind == "while" and turn.key[:2] not in known
            if is_of_loop and turn.asked and not turn.outcome and place not in entered:
                return True
            if turn.outcome:
                entered.add(place)
    return False
