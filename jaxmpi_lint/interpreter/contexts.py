"""``with`` blocks: entry, exit on every path, exceptions that pass through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import calls, evaluation
from jaxmpi_lint.interpreter.exceptions import is_a
from jaxmpi_lint.interpreter.frames import Entered, Frame
from jaxmpi_lint.interpreter.managed import Managed, Stack, Suppressing
from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.raised import ProgramError, kind_of
from jaxmpi_lint.interpreter.values import (
    EXHAUSTED,
    MISSING,
    BoundMethod,
    GeneratorValue,
    Instance,
    Running,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def enter(rank: Rank, frame: Frame, step: ir.Enter) -> Running:
    """Enter a context; what it binds is kept for the assignment that follows."""
    value = yield from rank.settle(frame, lambda: evaluation.evaluate(rank, frame, step.context))
    if isinstance(value, GeneratorValue):
        value = Managed(value)  # the decorator that makes it a context manager is not known
    bound = yield from enter_value(rank, value, step.context.span)
    frame.entered[id(step.context)] = bound
    frame.contexts.append(Entered(step.context, value, step.extent))
    return None


def enter_value(rank: Rank, value: Value, span: ir.Span) -> Running:
    """Enter a context manager; the result is what it binds."""
    bound = value
    if isinstance(value, Instance):
        method = value.cls.find("__enter__")
        if method is not MISSING:
            bound = yield from rank.call(BoundMethod(method, value), (), {}, span)
        else:
            bound = rank.symbol("entered", value)
    elif isinstance(value, Managed):
        bound = yield from calls.advance(rank, value.generator)
        if bound is EXHAUSTED:
            bound = None
    elif isinstance(value, Modelled):
        handler = rank.models.method(value.type_name, "__enter__")
        if handler is not None and rank.models.communicates(handler):
            bound = yield from handler(rank, value)
        elif handler is not None:
            bound = handler(rank, value)
    return bound


def leave(rank: Rank, frame: Frame, context: ir.Expression) -> Running:
    """Leave a context at the end of its block or on the way out by a jump."""
    for position in range(len(frame.contexts) - 1, -1, -1):
        if frame.contexts[position].context is context:
            entered = frame.contexts.pop(position)
            yield from exit_value(rank, entered.value, None, entered.context.span)
            return None
    return None


def exit_value(rank: Rank, value: Value, error: ProgramError | None, span: ir.Span) -> Running:
    """Run the exit of a context; the result is whether it suppresses the exception."""
    if isinstance(value, Instance):
        method = value.cls.find("__exit__")
        if method is MISSING:
            return False
        raised = None if error is None else error.value
        args = (None, None, None) if raised is None else (kind_of(raised), raised, None)
        result = yield from rank.call(BoundMethod(method, value), args, {}, span)
        return error is not None and result is not None and rank.truth(result)
    if isinstance(value, Managed):
        item = yield from calls.advance(rank, value.generator, error)
        return error is not None and item is EXHAUSTED
    if isinstance(value, Stack):
        return (yield from _unwind(rank, value, error, span))
    if isinstance(value, Modelled) and not isinstance(value, Suppressing):
        handler = rank.models.method(value.type_name, "__exit__")
        if handler is not None and rank.models.communicates(handler):
            yield from handler(rank, value)
        elif handler is not None:
            handler(rank, value)
    if isinstance(value, Suppressing) and error is not None:
        return any(is_a(error.value, kind) for kind in value.kinds)
    return False


def _unwind(rank: Rank, stack: Stack, error: ProgramError | None, span: ir.Span) -> Running:
    """Leave what a stack has entered and make its calls, the last one first; the result as of `exit_value`."""
    passing = error
    while stack.entered:
        value, given = stack.entered.pop()
        try:
            if given is not None:
                yield from calls.call(rank, value, given.values, given.keywords, span)
            elif (yield from exit_value(rank, value, passing, span)):
                passing = None
        except ProgramError as raised:
            passing = raised
    if passing is not None and passing is not error:
        raise passing
    return error is not None and passing is None


def leave_all(rank: Rank, frame: Frame, error: ProgramError, inside: ir.Span | None) -> Running:
    """Leave the contexts that an exception passes, those inside of a ``try`` or all of the frame.

    The result is the block and step where the program goes on if one of them suppresses the exception, else None; and
    the exception, since an exit may raise a different one.
    """
    while frame.contexts:
        entered = frame.contexts[-1]
        if inside is not None and not (inside[0] <= entered.extent[0] and entered.extent[1] <= inside[1]):
            break
        frame.contexts.pop()
        try:
            suppressed = yield from exit_value(rank, entered.value, error, entered.context.span)
        except ProgramError as raised:
            error = raised
            continue
        if suppressed:
            return frame.prepared.ends.get(id(entered.context)), error
    return None, error
