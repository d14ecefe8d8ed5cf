"""Receives that take the second of two messages of one sender from any rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import COMMUNICATING, Kind
from jaxmpi_lint.library.python.names import ANY_SOURCE

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_Placed = tuple["BoundCall", "Environment"]


@dataclass(frozen=True, slots=True)
class SecondPart:
    """Two receives from any rank, ``first`` and ``second``, for two messages that one function sends."""

    function: Function
    first: ir.Call
    second: ir.Call
    sender: Function
    sent: ir.Call

    kind = "part"

    @property
    def place(self) -> Place:
        """The second receive."""
        return Place(self.function.module, self.second.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: a protocol may let only one rank send at a time."""
        return Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method of the second receive."""
        return self.second.func.attr if isinstance(self.second.func, ir.Attribute) else ""

    def steps(self) -> Iterator[Step]:
        """The first receive, and the second message."""
        yield Step(self.function.module, self.first.span, "takes the first message of some rank")
        yield Step(self.sender.module, self.sent.span, "each of these ranks sends both messages")


@dataclass(frozen=True, slots=True)
class ReceivedAfterProbe:
    """A receive from any rank after a probe, the status of which is asked at ``asked`` in between."""

    function: Function
    probe: ir.Call
    receive: ir.Call
    asked: ir.Span

    kind = "probed"

    @property
    def place(self) -> Place:
        """The receive."""
        return Place(self.function.module, self.receive.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: a protocol may let only one rank send at a time."""
        return Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method of the receive."""
        return self.receive.func.attr if isinstance(self.receive.func, ir.Attribute) else ""

    def steps(self) -> Iterator[Step]:
        """The probe, and the question about its message."""
        yield Step(self.function.module, self.probe.span, "finds a message of some rank")
        yield Step(self.function.module, self.asked, "the program counts on this message")


def second_parts(function: Function) -> Iterator[SecondPart]:
    """The pairs of receives in a function that may take their messages from two different senders."""
    for first, second in _pairs(function, Kind.RECEIVE, Kind.RECEIVE):
        if not (_is_from_any(function, first) and _is_from_any(function, second)):
            continue
        tags = _tag(function, first), _tag(function, second)
        if None in tags or tags[0] == tags[1]:
            continue
        found = next(_senders(function, tags), None)
        if found is not None:
            yield SecondPart(function, first[0].call, second[0].call, *found)


def received_after_probes(function: Function) -> Iterator[ReceivedAfterProbe]:
    """The receives from any rank after a probe whose status has told the sender, the tag or the length before."""
    for probe, receive in _pairs(function, Kind.PROBE, Kind.RECEIVE):
        status = probe[0].argument("status")
        name = ir.dotted(status) if status is not None else None
        if name is None or not (_is_from_any(function, probe) and _is_from_any(function, receive)):
            continue
        asked = next(_asked_between(function, name, probe[0].call.span[1], receive[0].call.span[0]), None)
        if asked is not None:
            yield ReceivedAfterProbe(function, probe[0].call, receive[0].call, asked)


def _asked_between(function: Function, status: str, start: int, end: int) -> Iterator[ir.Span]:
    """Where a program asks a status something, in a part of the text."""
    for node in (node for step in function.ir.steps() for read in expressions_read(step) for node in ir.walk(read)):
        if isinstance(node, ir.Attribute) and ir.dotted(node.value) == status and start <= node.span[0] < end:
            yield node.span


def _pairs(function: Function, kind: Kind, other_kind: Kind) -> Iterator[tuple[_Placed, _Placed]]:
    """The operations of two kinds that directly follow each other, without a branch between them."""
    kinds = [bound.known_operation.kind for bound in function.operation_calls]
    if kind not in kinds or other_kind not in kinds or len(kinds) < 2:
        return
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None:
            continue
        placed: list[_Placed] = []
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = function.bound(step.expression)
                if bound is not None and bound.operation is not None and bound.operation.kind in COMMUNICATING:
                    placed.append((bound, function.flow.environment_before(block.index, step)))
        for one, other in pairwise(placed):
            if one[0].known_operation.kind is kind and other[0].known_operation.kind is other_kind:
                yield one, other


def _is_from_any(function: Function, placed: _Placed) -> bool:
    bound, env = placed
    operation = bound.known_operation
    if operation.source is None or not operation.blocking or not is_mpi4py_call(function.project, bound, function):
        return False
    source = bound.argument(operation.source)
    return source is None or function.value(source, env).entity == Named(ANY_SOURCE)


def _tag(function: Function, placed: _Placed) -> object:
    """The tag of a message, if it is a constant; the name of a member, as ``Tag.DATA`` of an `IntEnum`."""
    bound, env = placed
    tag = bound.known_operation.tag
    given = bound.argument(tag) if tag is not None else None
    if given is None:
        return None
    entity = function.value(given, env).entity
    if isinstance(entity, Literal):
        return entity.value
    name = ir.dotted(given) if isinstance(given, ir.Attribute) else None
    return name if name is not None and name.rpartition(".")[2].isupper() else None


def _senders(function: Function, tags: tuple[object, ...]) -> Iterator[tuple[Function, ir.Call]]:
    """The functions that send two messages with such tags one after the other to the same rank."""
    for module in function.project.modules():
        for sender in module.with_operations:
            for one, other in _pairs(sender, Kind.SEND, Kind.SEND):
                is_pair = (_tag(sender, one), _tag(sender, other)) == tags
                if is_pair and _destination(sender, one[0]) == _destination(sender, other[0]):
                    yield sender, other[0].call


def _destination(function: Function, bound: BoundCall) -> str:
    destination = bound.known_operation.destination
    given = bound.argument(destination) if destination is not None else None
    return function.module.source(given.span) if given is not None else ""
