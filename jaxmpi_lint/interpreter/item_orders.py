"""Calls that ranks make in the order of the items of a set, which differs between processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.variations import PLACE_OF_ORDER
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.values import Iterator, Value

_OF_CALLS = frozenset({Kind.OPERATOR, Kind.MISMATCH, Kind.COUNT, Kind.DTYPE, Kind.ROOT, Kind.LIST_LENGTH})
_OF_MESSAGES = frozenset({Kind.DEADLOCK, Kind.BUFFERING})


def attribute(fault: Fault, world: World) -> None:
    """Make a fault one of the order of a set, if one rank has met the items the other way.

    Branches on which the sides of a collective part are a different cause; those of messages are the roles of ranks.
    """
    is_of_calls = fault.kind in _OF_CALLS and fault.cause is None
    if (is_of_calls or fault.kind in _OF_MESSAGES) and world.notes.get(PLACE_OF_ORDER, ("",))[0] == "hash":
        _of_set(fault, world)


def _of_set(fault: Fault, world: World) -> Fault:
    """The fault as one of the set."""
    _, place = world.notes[PLACE_OF_ORDER]
    fault.kind = Kind.ITEM_ORDER
    fault.origins = ((place.module, place.span, "the order of this set differs between processes"),)
    return fault


def check(world: World, present: dict[int, Collective]) -> Fault | None:
    """Ranks in one collective whose loops take the same items in different orders, with a value of its item each."""
    if world.notes.get(PLACE_OF_ORDER, ("",))[0] != "hash":
        return None
    (first, event), *others = sorted(present.items())
    for number, other in others:
        frames = world.processes[first].rank.frames, world.processes[number].rank.frames
        contributed = _contributed(event), _contributed(other)
        if contributed[0] is not None and any(
            _takes_other_item(one, two, contributed[0] != contributed[1]) for one, two in zip(*frames, strict=False)
        ):
            return _of_set(Fault(Kind.ITEM_ORDER, event, first, number, other), world)
    return None


def _contributed(event: Collective) -> object:
    """What a rank contributes, to be compared; None if it is nothing."""
    buffer = event.extra.get("send", event.extra.get("buffer"))
    given = buffer if event.payload is None else event.payload
    return None if given is None else freeze(given)


def _takes_other_item(frame: Frame, other: Frame, are_different: bool) -> bool:
    """Whether a loop of two calls of one function has the same items in a different order, and different ones now.

    Values that are equal here, ``are_different`` being false, count only if the loop computes with its items.
    """
    if frame.function is not other.function:
        return False
    return any(
        header in other.iterators
        and (are_different or _uses_items(frame, header))
        and _are_permuted(state, other.iterators[header], (frame, other), header)
        for header, state in frame.iterators.items()
    )


def _uses_items(frame: Frame, header: int) -> bool:
    """Whether a loop reads its items."""
    branch = frame.function.blocks[header].terminator
    if not isinstance(branch, ir.Branch):
        return False
    inside = [step for step in frame.function.steps() if ir.contains(branch.extent, step.span)]
    targets = (step.targets for step in inside if isinstance(step, ir.Assign) and step.value is branch.test)
    names = {node.id for target in targets for one in target for node in ir.walk(one) if isinstance(node, ir.Name)}
    calls = (step.expression for step in inside if isinstance(step, ir.Evaluate))
    return any(isinstance(node, ir.Name) and node.id in names for call in calls for node in ir.walk(call))


def _are_permuted(state: Iterator, other: Iterator, frames: tuple[Frame, Frame], header: int) -> bool:
    items, others = ([freeze(item) for item in _items(one)] for one in (state, other))
    if len(items) < 2 or (state.generator is None and state.position != other.position):
        return False
    return Counter(items) == Counter(others) and _current(frames[0], header) != _current(frames[1], header)


def _items(state: Iterator) -> Sequence[Value]:
    """The items of a short loop."""
    found = state.items if state.generator is None else state.generator.items
    return found if len(found) <= _MOST else ()


def _current(frame: Frame, header: int) -> object:
    """The item of the current pass of a loop."""
    branch = frame.function.blocks[header].terminator
    test = branch.test if isinstance(branch, ir.Branch) else None
    return freeze(frame.entered.get(id(test.iterable))) if isinstance(test, ir.Element) else None


_MOST = 32
"""Items of a loop that are compared."""
