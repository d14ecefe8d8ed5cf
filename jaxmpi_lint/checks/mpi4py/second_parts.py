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
class FromAny:
    """A receive from any rank that is to take one message; the ``kind`` is ``part``, or ``probed`` after a probe."""

    function: Function
    receive: ir.Call
    kind: str
    told: tuple[Step, ...]

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
        """What was received or found before, and why it is the same message."""
        yield from self.told


def second_parts(function: Function) -> Iterator[FromAny]:
    """The pairs of receives in a function that may take their messages from two different senders."""
    for first, second in _pairs(function, Kind.RECEIVE, Kind.RECEIVE):
        if not (_is_from_any(function, first) and _is_from_any(function, second)):
            continue
        tags = _tag(function, first), _tag(function, second)
        if None in tags or tags[0] == tags[1]:
            continue
        found = next(_senders(function, tags), None)
        if found is not None:
            first_step = Step(function.module, first[0].call.span, "takes the first message of some rank")
            sender = Step(found[0].module, found[1].span, "each of these ranks sends both messages")
            yield FromAny(function, second[0].call, "part", (first_step, sender))


def received_after_probes(function: Function) -> Iterator[FromAny]:
    """The receives from any rank after a probe whose status has told the sender, the tag or the length before."""
    for probe, receive in _pairs(function, Kind.PROBE, Kind.RECEIVE):
        status = probe[0].argument("status")
        name = ir.dotted(status) if status is not None else None
        if name is None or not (_is_from_any(function, probe) and _is_from_any(function, receive)):
            continue
        calls = probe[0].call, receive[0].call
        asked = next(_asked_between(function, name, calls[0].span[1], calls[1].span[0]), None)
        if asked is not None and _owner(calls[0]) == _owner(calls[1]):
            found = Step(function.module, calls[0].span, "finds a message of some rank")
            question = Step(function.module, asked, "the program counts on this message")
            yield FromAny(function, calls[1], "probed", (found, question))


def _owner(call: ir.Call) -> str | None:
    """The communicator of a call, as it is written."""
    return ir.dotted(call.func.value) if isinstance(call.func, ir.Attribute) else None


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
