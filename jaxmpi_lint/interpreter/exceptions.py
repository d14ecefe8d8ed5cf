"""Which handler catches an exception."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import evaluation
from jaxmpi_lint.interpreter.events import Event, Place
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.raised import ProgramError, Raised
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import ClassValue, Cut, Library, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


_DOUBTFUL = frozenset({"TypeError", "NameError"})
"""Failures that an imprecise model of a library could provoke."""


def trusted(error: ProgramError) -> ProgramError:
    """The exception; one that the interpreter may have provoked itself ends the world without a verdict."""
    if error.value.name in _DOUBTFUL and not error.value.fields.get("*explicit"):
        raise Cut(f"an operation that fails here: {error.value.name}")
    return error


def lone_failure(world: World) -> Fault | None:
    """An operation that fails on one rank, while another rank ends well: on None, or on COMM_NULL."""
    well = [process.rank.number for process in world.processes if not process.has_failed]
    for process in world.processes if well else ():
        error = process.error
        if error is not None and process.has_failed and error.place is not None:
            fault = failure(error, Place(*error.place), process.rank.number, well[0])
            if fault is not None:
                return fault
    return None


def failure(error: ProgramError, place: Place, number: int, other: int) -> Fault | None:
    """The fault that an exception on one rank shows, if the operand that makes it fail is known."""
    if error.value.fields.get("*null"):
        return Fault(Kind.NULL, Event(place, "rank or size of COMM_NULL"), number, other)
    if error.value.fields.get("*none"):
        detail = f"an operand is None on rank {number}, which raises {error.value.name}, but not on rank {other}"
        return Fault(Kind.LONE_VALUE, Event(place, "the operation"), number, other, detail=detail)
    return None


def catches(rank: Rank, frame: Frame, handler: ir.Handler, raised: Raised) -> bool:
    """Whether a handler takes an exception."""
    if handler.kind is None:
        return True
    kind = evaluation.evaluate(rank, frame, handler.kind)
    return any(is_a(raised, one) for one in (kind if isinstance(kind, tuple) else (kind,)))


def is_a(raised: Raised, kind: Value) -> bool:
    """Whether an exception is of a class."""
    if isinstance(kind, ClassValue):
        return isinstance(raised.kind, ClassValue) and kind in raised.kind.order()
    if isinstance(kind, Library):
        return any(_derives(name, kind.dotted) for name in _names(raised.kind))
    if isinstance(kind, Symbol):
        raise Cut("a handler of an unknown class")
    return False


def _names(kind: Value) -> list[str]:
    """The library classes that a class of an exception is or derives from."""
    if isinstance(kind, ClassValue):
        return [base.dotted for base in kind.library_bases() if isinstance(base, Library)] or ["builtins.Exception"]
    return [str(kind)]


def _derives(name: str, base: str) -> bool:
    short, of_base = name.rpartition(".")[2], base.rpartition(".")[2]
    if short == of_base:
        return True
    known, above = getattr(builtins, short, None), getattr(builtins, of_base, None)
    if isinstance(above, type) and isinstance(known, type):
        return issubclass(known, above)
    if known is None and short in _PARENTS:
        return _derives(_PARENTS[short], base)
    if known is None and isinstance(above, type):
        return above in (Exception, BaseException)
    return False


_PARENTS = {
    "JSONDecodeError": "ValueError", "UnpicklingError": "PickleError", "CalledProcessError": "SubprocessError",
    "TimeoutExpired": "SubprocessError", "LinAlgError": "ValueError", "gaierror": "OSError",
    "FrozenInstanceError": "AttributeError",
}  # fmt: skip
