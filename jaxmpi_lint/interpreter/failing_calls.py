"""Calls of functions of the project that may fail on one rank, as the handler around them says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import evaluation, failures, variations
from jaxmpi_lint.interpreter.events import Receive
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, departing
from jaxmpi_lint.interpreter.values import ClassValue, Cut, FunctionValue, Library, NeedsCall, Value
from jaxmpi_lint.library.python.local_failures import OF_COMPUTATIONS

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def check(rank: Rank, function: FunctionValue, args: tuple[Value, ...]) -> None:
    """Raise the exception that a handler expects of a computation, where the world has it fail.

    This concerns ranks that have received a message: what they do not answer, another rank waits for. The failures
    before collectives are found without worlds.
    """
    frame = rank.frames[-1] if rank.frames else None
    if frame is None or not frame.function.blocks[frame.block].handlers or not _has_received(rank):
        return
    kind = _expected(rank, frame)
    if kind is None or not failures.goes_on(rank, kind) or _communicates(rank, function):
        return
    if variations.fails_alike(rank, function.ir.qualname, args):
        raise departing(ProgramError(Raised(kind)))


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
