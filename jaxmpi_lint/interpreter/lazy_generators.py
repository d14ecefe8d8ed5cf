"""Generator expressions that communicate and that no call consumes at once: each item is made where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.values import MISSING, GeneratorValue, Running, Value, Yielded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Position = tuple[int, int]
"""A block of a function, and the number of its next step."""

END: Position = (-1, 0)


def begin(rank: Rank, frame: Frame, step: ir.Collect) -> Position | None:
    """Make the generator instead of its items, if it is one of these; where its frame continues then."""
    node = step.comprehension
    if step.action != "begin" or id(node) not in rank.world.program.lazy:
        return None
    steps = frame.function.blocks[frame.block].steps
    inner = rank.frame(frame.function, frame.scope, node.span)
    inner.callee, inner.lazy = frame.callee, node
    inner.results, inner.captured = dict(frame.results), dict(frame.captured)
    at = frame.block, next(number for number, one in enumerate(steps) if one is step) + 1
    frame.results[id(node)] = GeneratorValue(_items(rank, inner, at), frame=inner)
    return _behind(frame.function, node)


def note(program_lazy: set[int], frames: Iterable[Frame]) -> None:
    """Note those that are in progress: the next worlds make their items one by one."""
    program_lazy.update(number for frame in frames for number, state in frame.collecting.items() if state.is_lazy)


def _behind(function: ir.Function, node: ir.Comprehension) -> Position:
    """Where a function continues after a comprehension."""
    return next(
        (block.index, number + 1)
        for block in function.blocks
        for number, step in enumerate(block.steps)
        if isinstance(step, ir.Collect) and step.comprehension is node and step.action == "end"
    )


def _items(rank: Rank, frame: Frame, at: Position) -> Running:
    """The items; the variables of the expression are those of the function only while one is made."""
    assert frame.lazy is not None
    names = [name.id for one in frame.lazy.generators for name in ir.walk(one.target) if isinstance(name, ir.Name)]
    scope = frame.scope.names
    running = rank.run(frame, at)
    own: dict[str, Value] = dict.fromkeys(names, MISSING)
    outer = _exchange(scope, own)
    response: Value = None
    try:
        while True:
            item = running.send(response)
            response = None
            if isinstance(item, Yielded):
                own = _exchange(scope, outer)
                yield item
                outer = _exchange(scope, own)
            else:
                response = yield item
    except StopIteration:
        return None
    finally:
        _exchange(scope, outer)


def _exchange(scope: dict[str, Value], values: Mapping[str, Value]) -> dict[str, Value]:
    """Set names to values, and give those that they had."""
    before = {name: scope.pop(name, MISSING) for name in values}
    scope.update({name: value for name, value in values.items() if value is not MISSING})
    return before
