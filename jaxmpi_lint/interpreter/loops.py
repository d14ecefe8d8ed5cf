"""Loops over iterables: their next items, and what is known after passes that are left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import calls, evaluation
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.values import (
    EXHAUSTED,
    MISSING,
    Instance,
    Iterator,
    Library,
    NeedsCall,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_PASSES = 64
"""Longer loops are sampled: their first passes and the last one."""

SAMPLED = 4


def next_pass(rank: Rank, frame: Frame, header: int, branch: ir.Branch) -> bool:
    """Whether a loop has a next item; it is kept for the assignment that follows."""
    assert isinstance(branch.test, ir.Element)
    state = frame.iterators.get(header)
    if state is None:
        iterable = evaluation.evaluate(rank, frame, branch.test.iterable)
        state = frame.iterators[header] = _begin(rank, iterable)
        if state.is_guessed and branch.kind == "comprehension" and frame.collecting:
            next(reversed(frame.collecting.values())).is_guessed = True
    if state.generator is not None:
        return _next_of_generator(frame, header, branch, state)
    if state.position >= len(state.items):
        del frame.iterators[header]
        return False
    if state.position == state.jump:
        _widen(rank, frame, branch.extent)
    frame.entered[id(branch.test.iterable)] = state.items[state.position]
    state.position += 1
    return True


def _begin(rank: Rank, iterable: Value) -> Iterator:
    state = calls.iterate(rank, iterable)
    if state.generator is not None or len(state.items) - state.position <= MAX_PASSES:
        return state
    left = state.items[state.position :]
    rank.world.sampled(rank, len(left))
    return Iterator([*left[:SAMPLED], left[-1]], is_guessed=state.is_guessed, jump=SAMPLED)


def end(frame: Frame, comprehension: ir.Comprehension) -> None:
    """End the loops of a comprehension after the current pass."""
    for header in list(frame.iterators):
        terminator = frame.function.blocks[header].terminator
        if isinstance(terminator, ir.Branch) and terminator.extent == comprehension.span:
            frame.iterators[header] = Iterator([])


def sample(rank: Rank, items: Iterable[Value]) -> list[Value]:
    """All items of a short loop, the first ones and the last of a long one."""
    found = list(items)
    if len(found) <= MAX_PASSES:
        return found
    rank.world.sampled(rank, len(found))
    return [*found[:SAMPLED], found[-1]]


def _next_of_generator(frame: Frame, header: int, branch: ir.Branch, state: Iterator) -> bool:
    assert isinstance(branch.test, ir.Element)
    key = ("next", header)
    if key not in frame.implicit:
        node = ir.Constant(branch.span, None)
        raise NeedsCall(node, Library("builtins.next"), (state.generator, EXHAUSTED), key=key)
    item = frame.implicit.pop(key)
    if item is EXHAUSTED:
        del frame.iterators[header]
        return False
    frame.entered[id(branch.test.iterable)] = item
    return True


# --- passes that are left out ---


def _widen(rank: Rank, frame: Frame, extent: ir.Span) -> None:
    """Replace what the passes of a loop change by symbols; equal on ranks where it was equal so far."""
    for step in frame.function.steps():
        if not (extent[0] <= step.span[0] and step.span[1] <= extent[1]):
            continue
        for target in _changed(step):
            _forget(rank, frame, target)


def _changed(step: ir.Step) -> tuple[ir.Expression, ...]:
    match step:
        case ir.Assign(targets=targets, value=value) if value is not None:
            return targets
        case ir.AugmentedAssign(target=target):
            return (target,)
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=receiver))):
            return (ir.Subscript(receiver.span, receiver, receiver),)
    return ()


def _forget(rank: Rank, frame: Frame, target: ir.Expression) -> None:
    match target:
        case ir.Name(id=name) if name not in frame.scope.names:
            frame.scope.names[name] = rank.symbol("after passes", name)
        case ir.Name(id=name) if _is_data(frame.scope.names.get(name, MISSING)):
            frame.scope.names[name] = rank.symbol("after passes", name, frame.scope.names[name])
        case ir.Attribute(value=ir.Name(id=name), attr=field):
            owner = frame.scope.names.get(name)
            if isinstance(owner, Instance) and _is_data(owner.fields.get(field, MISSING)):
                owner.fields[field] = rank.symbol("after passes", field, owner.fields[field])
        case ir.Collection(elements=elements):
            for element in elements:
                _forget(rank, frame, element)
        case ir.Subscript(value=container):
            _forget_items(rank, frame, container)


def _is_data(value: Value) -> bool:
    return isinstance(value, (int, float, complex, str, list, tuple, dict, set, Array))


def _forget_items(rank: Rank, frame: Frame, container: ir.Expression) -> None:
    """A container that is changed in place: a symbol for a name or field, unknown elements for an array."""
    if isinstance(container, ir.Subscript):
        _forget_items(rank, frame, container.value)
    elif isinstance(container, (ir.Name, ir.Attribute)):
        value = frame.scope.names.get(container.id, MISSING) if isinstance(container, ir.Name) else MISSING
        if not isinstance(value, Array):
            _forget(rank, frame, container)
