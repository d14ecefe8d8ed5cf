"""Whether the arguments of one collective agree on all ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import (
    displacements,
    example_counts,
    neighbourhoods,
    own_lengths,
    paired_buffers,
    pickled_operands,
    unexchanged_counts,
    vector_counts,
)
from jaxmpi_lint.interpreter.container_values import CommandLine, GuessedList
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.sizes import RankNumber
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SAME_COUNT = frozenset({"Bcast", "Reduce", "Allreduce", "Scan", "Exscan", "Ibcast", "Ireduce", "Iallreduce"})
_SAME_SENT = frozenset({"Gather", "Allgather", "Alltoall", "Igather", "Iallgather", "Ialltoall"})
_LISTS = frozenset({"scatter", "alltoall"})
_TELLING = 3  # ranks: with two, the other one may hold an old value


def check(world: World, present: dict[int, Collective]) -> Fault | None:
    """The first argument that differs where it must be equal."""
    numbers = sorted(present)
    first = present[numbers[0]]
    for number in numbers:
        fault = _one(first, numbers[0], present[number], number) or _by_model(
            first, numbers[0], present[number], number
        )
        if fault is not None:
            return fault
    checks = (_of_root, _lists, pickled_operands.check, paired_buffers.check, vector_counts.check, neighbourhoods.check)
    found = next((fault for fault in (one(present) for one in checks) if fault is not None), None)
    found = found or vector_counts.check_groups(world, present) or displacements.check(present)
    found = found or unexchanged_counts.check(present) or own_lengths.check(present, world.decisions.made)
    return found or example_counts.check(present, world.decisions.made, world.size)


def _one(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    size = event.communicator.size or 0
    if isinstance(event.root, int) and not isinstance(event.root, bool) and not 0 <= event.root < size:
        detail = f"root {event.root} in a communicator of {size} ranks"
        constant = None if isinstance(event.root, RankNumber) else event.root
        return Fault(Kind.ROOT_RANGE, event, number, detail=detail, constant=constant)
    for kind, mine, theirs in (
        (Kind.ROOT, first.root, event.root),
        (Kind.OPERATOR, first.operator, event.operator),
        (Kind.NAME, first.name, event.name),
    ):
        if mine is not None and theirs is not None and _differ(mine, theirs):
            return Fault(kind, first, lowest, number, event, f"{show(mine)} and {show(theirs)}")
    if first.kind in _SAME_COUNT or (first.kind in _SAME_SENT and all(map(_sends_plainly, (first, event)))):
        return _counts(first, lowest, event, number)
    return None


def _sends_plainly(event: Collective) -> bool:
    """Whether a rank sends a buffer without counts or derived datatypes, and not what it receives in place."""
    return bool(event.extra.get("is_plain")) and not event.extra.get("in_place")


def _by_model(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    """What the model of the library compares."""
    compare = first.extra.get("check")
    found: Fault | None = None if compare is None or number == lowest else compare(first, lowest, event, number)
    return found


def _counts(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    if first.dtype and event.dtype and first.dtype != event.dtype:
        detail = f"{first.dtype} and {event.dtype}"
        return Fault(Kind.DTYPE, first, lowest, number, event, detail)
    if first.count is not None and event.count is not None and first.count != event.count:
        detail = f"{first.count} and {event.count} elements"
        return Fault(Kind.COUNT, first, lowest, number, event, detail)
    return None


def _differ(mine: object, theirs: object) -> bool:
    """Whether two values are surely different: known, or symbols of one process each."""
    if isinstance(mine, Symbol) or isinstance(theirs, Symbol):
        both = (mine, theirs)
        own = all(isinstance(one, Symbol) and one.own and not one.is_guess for one in both)
        return own and mine is not theirs
    return freeze(mine) != freeze(theirs)


def _of_root(present: dict[int, Collective]) -> Fault | None:
    """A root that passes None: to `scatter`, or to `bcast` while exactly one other rank has a value.

    If all other ranks have a value, it may be an old one, and None the end of a sequence of messages.
    """
    event = next(iter(present.values()))
    root = next((number for number, one in present.items() if one.root == one.communicator.number), None)
    if event.kind not in ("bcast", "scatter") or root is None or present[root].payload is not None:
        return None
    if event.kind == "scatter":
        return Fault(Kind.ROOT_VALUE, present[root], root, detail=f"root {root} passes None")
    others = [number for number, one in sorted(present.items()) if one.payload is not None]
    if len(present) < _TELLING or len(others) != 1 or isinstance(present[others[0]].payload, Symbol):
        return None
    detail = f"root {root} passes None, rank {others[0]} passes the value"
    return Fault(Kind.ROOT_VALUE, present[root], root, others[0], present[others[0]], detail)


def _lists(present: dict[int, Collective]) -> Fault | None:
    for number, event in sorted(present.items()):
        payload = event.payload
        is_sender = event.kind == "alltoall" or event.root == event.communicator.number
        if event.kind not in _LISTS or not is_sender or isinstance(payload, (CommandLine, GuessedList)):
            continue
        if isinstance(payload, (list, tuple)) and len(payload) != event.communicator.size:
            detail = f"{len(payload)} elements for {event.communicator.size} ranks"
            made_for = len(payload) if len(payload) > 1 else None  # a job of several ranks
            return Fault(Kind.LIST_LENGTH, event, number, detail=detail, constant=made_for)
    return None


def show(value: object) -> str:
    """A value as messages show it."""
    if isinstance(value, Library):
        return value.dotted.rpartition("mpi4py.")[2]
    return "an own value" if isinstance(value, Symbol) else repr(value)
