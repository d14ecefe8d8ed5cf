"""Calls of functions of the project that may fail on one rank, as the handler around them says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import evaluation, failures, variations
from jaxmpi_lint.interpreter.events import Receive
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, departing
from jaxmpi_lint.interpreter.values import ClassValue, Cut, FunctionValue, Library, NeedsCall, Value
from jaxmpi_lint.library.python.local_failures import OF_COMPUTATIONS, OF_NUMBERS

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


_FRAMES = 3
"""Functions that are looked at for a handler around a call."""


def check(rank: Rank, function: FunctionValue, args: tuple[Value, ...]) -> None:
    """Raise the exception that a handler expects of a computation, where the world has it fail.

    This concerns ranks that have received a message: what they do not answer, another rank waits for. And handlers of
    callers, as of a decorator, around a function that communicates. The failures before collectives in the function of
    the handler are found without worlds.
    """
    frame = _guarded(rank)
    if frame is None:
        return
    is_of_caller = frame is not rank.frames[-1]
    kind = _expected(rank, frame)
    if kind is None or not (kind in OF_NUMBERS if is_of_caller else _has_received(rank)):
        return
    if not failures.goes_on(rank, kind) or _communicates(rank, function):
        return
    if is_of_caller and not _is_around_communication(rank, frame):
        return
    if variations.fails_alike(rank, function.ir.qualname, args):
        raise departing(ProgramError(Raised(kind)))


def _guarded(rank: Rank) -> Frame | None:
    """The innermost function whose handlers are around the current call."""
    frames = reversed(rank.frames[-_FRAMES:])
    return next((frame for frame in frames if frame.function.blocks[frame.block].handlers), None)


def _is_around_communication(rank: Rank, frame: Frame) -> bool:
    """Whether a function that a handler guards communicates."""
    inner = rank.frames[rank.frames.index(frame) + 1]
    return bool(rank.program.may_communicate(inner.scope.module.ir, inner.function))


def _has_received(rank: Rank) -> bool:
    return any(isinstance(event, Receive) for event in rank.world.processes[rank.number].log)


def _communicates(rank: Rank, function: FunctionValue) -> bool:
    return bool(rank.program.may_communicate(function.scope.module.ir, function.ir))


def _expected(rank: Rank, frame: Frame) -> Value | None:
    """The exception of a computation that the handlers of a frame name; those of files and imports are none."""
    for entry in frame.function.blocks[frame.block].handlers:
        handler = frame.prepared.handlers.get(entry)
        if handler is None or handler.kind is None:
            continue
        try:
            kind = evaluation.evaluate(rank, frame, handler.kind)
        except (NeedsCall, Cut):
            continue
        for one in kind if isinstance(kind, tuple) else (kind,):
            if isinstance(one, ClassValue):
                return one
            if isinstance(one, Library) and one.dotted.removeprefix("builtins.") in OF_COMPUTATIONS:
                return one.dotted.removeprefix("builtins.")
    return None
