"""The name in ``except ... as name``: it is unbound where the handler ends."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.frames import Frame, Handling


def enter(frame: Frame, handler: ir.Handler | None, entry: int) -> None:
    """Note the name that a handler binds in its first step."""
    leave(frame, entry)
    steps = frame.function.blocks[entry].steps
    match steps[0] if handler is not None and steps else None:
        case ir.Assign(targets=(ir.Name(id=name),), value=ir.Caught()):
            assert handler is not None
            frame.handling.append(Handling(name, handler.span))


def leave(frame: Frame, target: int) -> None:
    """Unbind the names of the handlers that do not contain the next block."""
    while frame.handling and not _is_inside(frame.function.blocks[target], frame.handling[-1].extent):
        name = frame.handling.pop().name
        is_global = name in frame.function.globals
        (frame.scope.module.scope if is_global else frame.scope).names.pop(name, None)


def _is_inside(block: ir.Block, extent: ir.Span) -> bool:
    first, last = block.steps[0].span if block.steps else block.terminator.span, block.terminator.span
    return any(extent[0] <= span[0] and span[1] <= extent[1] for span in (first, last))
