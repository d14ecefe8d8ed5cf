"""Exchanges of both borders of an array whose two messages go in the same direction, so that both have one sender."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_specs import specification
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.uniformity.communicator_usage import call_of
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class _End(StrEnum):
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A call that sends and receives: the parts that it sends and receives, and its peers as they are written."""

    bound: BoundCall
    sent: ir.Subscript
    received: ir.Subscript
    peers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneWayExchange:
    """The second of two calls that exchange both ends of an array with the same peers."""

    function: Function
    first: BoundCall
    second: BoundCall
    array: str

    @property
    def place(self) -> Place:
        """The second call."""
        return Place(self.function.module, self.second.call.span)

    @property
    def confidence(self) -> Confidence:
        """What the program means is not written."""
        return Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method or function that is called."""
        return self.second.known_operation.method

    def steps(self) -> Iterator[Step]:
        """The first call."""
        yield Step(self.function.module, self.first.call.span, "sends the other end of the array to the same rank")


def one_way_exchanges(function: Function) -> Iterator[OneWayExchange]:
    """The pairs of calls of a function, one after the other, that exchange both ends of an array in one direction."""
    for block in function.ir.blocks:
        made: list[tuple[int, _Exchange]] = []
        for number, step in enumerate(block.steps):
            exchange = _exchange(function, step, block.steps[number + 1 :])
            if exchange is not None:
                made.append((number, exchange))
        for (start, first), (end, second) in pairwise(made):
            if first.peers == second.peers and _are_opposite(function, first, second):
                changed = {name for step in block.steps[start:end] for name in names_bound(step)}
                if changed.isdisjoint(_names(first)):
                    yield OneWayExchange(function, first.bound, second.bound, _source(function, second.sent.value))


def _exchange(function: Function, step: ir.Step, following: Sequence[ir.Step]) -> _Exchange | None:
    bound = call_of(function, step)
    operation = bound.operation if bound is not None else None
    if (
        bound is None
        or operation is None
        or operation.kind is not Kind.SENDRECV
        or operation.sends == operation.receives
    ):
        return None
    peers = _peers(bound)
    sent = specification(bound.argument(operation.sends[0]))
    texts = tuple(_source(function, one) for one in peers)
    if sent is None or len(peers) < 2 or texts[0] == texts[1]:
        return None
    name = operation.template or (operation.receives[0] if operation.receives else None)
    given = specification(bound.argument(name)) if name is not None else None
    received = given.buffer if given is not None else bound.call
    part = received if isinstance(received, ir.Subscript) else _target(received, following)
    copied = _copied(sent.buffer)
    return _Exchange(bound, copied, part, texts) if isinstance(copied, ir.Subscript) and part is not None else None


def _copied(buffer: ir.Expression) -> ir.Expression:
    """The part of an array of which a buffer is a copy."""
    match buffer:
        case ir.Call(func=ir.Attribute(value=ir.Subscript() as part, attr="copy"), args=()):
            return part
        case ir.Call(func=ir.Attribute(attr="ascontiguousarray" | "array"), args=(first, *_)):
            return first.value
    return buffer


def _target(received: ir.Expression, following: Sequence[ir.Step]) -> ir.Subscript | None:
    """The part of an array to which a following step assigns the result of a call, or the buffer with this name."""
    for step in following:
        match step:
            case ir.Assign(targets=(ir.Subscript() as target,), value=value) if value is received:
                return target
            case ir.Assign(targets=(ir.Subscript() as target,), value=ir.Name(id=name)):
                if isinstance(received, ir.Name) and name == received.id:
                    return target
    return None


def _are_opposite(function: Function, one: _Exchange, other: _Exchange) -> bool:
    """Whether one call sends each end, and receives at the other one, as at a border between two neighbours."""
    if not (_are_ends(function, one.sent, other.sent) and _are_ends(function, one.received, other.received)):
        return False
    ends = [{_end(axis) for axis in _axes(part.index)} for part in (one.sent, one.received)]
    return ends[0] != ends[1]


def _are_ends(function: Function, one: ir.Subscript, other: ir.Subscript) -> bool:
    """Whether two expressions are the two ends of one array along one of its axes."""
    if _source(function, one.value) != _source(function, other.value):
        return False
    axes, others = _axes(one.index), _axes(other.index)
    pairs = zip(axes, others, strict=True) if len(axes) == len(others) else ()
    different = [pair for pair in pairs if _text(function, pair[0]) != _text(function, pair[1])]
    return len(different) == 1 and {_end(different[0][0]), _end(different[0][1])} == {_End.FIRST, _End.LAST}


def _axes(index: ir.Expression) -> tuple[ir.Expression, ...]:
    return index.elements if isinstance(index, ir.Collection) else (index,)


def _end(index: ir.Expression) -> _End | None:
    """The end of an axis at which an index or a slice lies; the last one is counted from behind or from a length."""
    match index:
        case ir.Constant(value=int(value)):
            return _End.FIRST if value >= 0 else _End.LAST
        case ir.UnaryOperation(operator="-", operand=ir.Constant()):
            return _End.LAST
        case ir.Slice(lower=None, upper=ir.Expression() as upper, step=None):
            return _End.FIRST if _end(upper) is _End.FIRST else None
        case ir.Slice(lower=ir.Expression() as lower, step=None):
            return _end(lower)
        case ir.Name() | ir.Attribute() | ir.BinaryOperation(operator="+" | "-"):
            return _End.LAST
    return None


def _names(exchange: _Exchange) -> set[str]:
    return {node.id for one in _peers(exchange.bound) for node in ir.walk(one) if isinstance(node, ir.Name)}


def _peers(bound: BoundCall) -> list[ir.Expression]:
    """The arguments for the destination, the source and the communicator, or the object whose method is called."""
    operation, func = bound.known_operation, bound.call.func
    given = [bound.argument(name) for name in (operation.destination, operation.source, operation.communicator)]
    owner = func.value if isinstance(func, ir.Attribute) and operation.communicator == "self" else None
    return [one for one in (*given, owner) if one is not None]


def _text(function: Function, index: ir.Expression) -> str:
    """An index or a slice as it is written."""
    if not isinstance(index, ir.Slice):
        return _source(function, index)
    parts = (index.lower, index.upper, index.step)
    return ":".join(_source(function, part) if part is not None else "" for part in parts)


def _source(function: Function, node: ir.Expression) -> str:
    return function.module.source(node.span)
