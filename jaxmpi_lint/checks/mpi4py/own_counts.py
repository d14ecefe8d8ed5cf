"""Sums over the elements of all ranks that are divided by the number of elements of one rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.mpi4py.own_accumulators import accumulated_together
from jaxmpi_lint.checks.mpi4py.reduced_twice import is_divided
from jaxmpi_lint.checks.mpi4py.totals import Total, called, quotients, total
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.python.element_sums import CONVERSIONS, COUNTS, SPLITS, SUMS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_SCATTERING = frozenset({"scatter", "scatterv", "iscatter", "iscatterv"})
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class OwnCount:
    """A quotient of a sum over all ranks and the number of own elements of ``data``."""

    function: Function
    node: ir.BinaryOperation
    reduced: Total
    data: str

    @property
    def place(self) -> Place:
        """The quotient."""
        return Place(self.function.module, self.node.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the quotient may be meant."""
        return Confidence.MEDIUM

    @property
    def count(self) -> str:
        """The divisor, as it is written."""
        return self.function.module.line(self.node.right.span)

    def steps(self) -> Iterator[Step]:
        """The reduction."""
        message = f"sums the elements of `{self.data}` of all ranks"
        yield Step(self.reduced.function.module, self.reduced.call.span, message)


def own_counts(function: Function) -> Iterator[OwnCount]:
    """The quotients of a function whose numerator and divisor are computed from one share of the data."""
    if not any(operation.known_operation.reduction for operation in function.operation_calls):
        return
    for node, env in quotients(function):
        reduced = total(function, _whole(node.left), env) if node.operator == "/" else None
        if reduced is None or reduced.is_mean or reduced.is_ratio or reduced.function is not function:
            continue
        data = _data(function, _sent(function, reduced), node.right, env)
        if data is not None and not is_divided(function, node, reduced, env):
            yield OwnCount(function, node, reduced, data)


def _data(function: Function, sent: ir.Expression | None, divisor: ir.Expression, env: Environment) -> str | None:
    """What a rank sums and counts: a share of the data that it holds, or what it adds up piece by piece."""
    counted = set(_counted(function, divisor))
    shares = [name for name in _summed(function, sent) if name in counted] if counted else []
    data = next((name for name in shares if _is_share(function, name, env)), None)
    return data or (accumulated_together(function, sent, divisor) if sent is not None else None)


def _whole(dividend: ir.Expression) -> ir.Expression:
    """The array of an element, as of a buffer with one number."""
    is_element = isinstance(dividend, ir.Subscript) and isinstance(dividend.index, ir.Constant)
    return dividend.value if is_element and isinstance(dividend, ir.Subscript) else dividend


def _sent(function: Function, reduced: Total) -> ir.Expression | None:
    """What each rank contributes to a sum."""
    bound = function.bound(reduced.call)
    sends = bound.known_operation.sends if bound is not None else ()
    return bound.argument(sends[0]) if bound is not None and sends else None


def _summed(function: Function, expression: ir.Expression | None, depth: int = 0) -> Iterator[str]:
    """The variables over whose elements an expression sums."""
    match expression:
        case ir.Name(id=name):
            yield from _summed(function, _value_of(function, name, depth), depth + 1)
        case ir.BinaryOperation(left=left, right=right):
            yield from _summed(function, left, depth)
            yield from _summed(function, right, depth)
        case ir.Call(func=ir.Attribute(value=owner, attr="sum")) if called(function, expression) not in SUMS:
            yield from _names(owner)
        case ir.Call(args=(first, *_)) if called(function, expression) in SUMS:
            yield from _names(first.value)
        case ir.Call(args=(first, *_)) if called(function, expression) in CONVERSIONS:
            yield from _summed(function, first.value, depth)
        case ir.Collection(elements=(element,)):
            yield from _summed(function, element, depth)


def _counted(function: Function, expression: ir.Expression | None, depth: int = 0) -> Iterator[str]:
    """The variables whose number of elements an expression is."""
    match expression:
        case ir.Name(id=name):
            yield from _counted(function, _value_of(function, name, depth), depth + 1)
        case ir.Attribute(value=ir.Name(id=name), attr="size"):
            yield name
        case ir.Subscript(value=ir.Attribute(value=ir.Name(id=name), attr="shape"), index=ir.Constant(value=0)):
            yield name
        case ir.Call(args=(first,)) if called(function, expression) in COUNTS:
            yield from _names(first.value)
        case ir.Call(args=(first,)) if called(function, expression) in CONVERSIONS:
            yield from _counted(function, first.value, depth)


def _value_of(function: Function, name: str, depth: int) -> ir.Expression | None:
    """The only value that a variable has."""
    values = list(function.assignments.get(name, {}).values())
    is_known = depth < _DEEPEST and len(values) == 1 and name not in function.bound_otherwise
    return values[0] if is_known and function.is_local(name) else None


def _names(expression: ir.Expression) -> Iterator[str]:
    yield from (node.id for node in ir.walk(expression) if isinstance(node, ir.Name))


def _is_share(function: Function, name: str, env: Environment) -> bool:
    """Whether a variable holds a part of the data: cut out by the rank, scattered, or of a length that differs."""
    if env.get(name) is not None and env[name].structure.level.diverges:
        return True
    for bound in function.operation_calls:
        operation = bound.known_operation
        given = [bound.argument(parameter) for parameter in operation.receives]
        if operation.method.lower() in _SCATTERING and any(name in _names(one) for one in given if one is not None):
            return True
    match _value_of(function, name, 0):
        case ir.Call() as call:
            made = function.bound(call)
            return made is not None and made.operation is not None and made.operation.method.lower() in _SCATTERING
        case ir.Subscript(value=whole, index=index):
            return _is_cut(function, whole, index, env)
    return False


def _is_cut(function: Function, whole: ir.Expression, index: ir.Expression, env: Environment) -> bool:
    """Whether an index depends on the process and cuts the first axis, or takes one of the parts of a split array."""
    match index:
        case ir.Collection(elements=(first, *_)):
            return _is_cut(function, whole, first, env)
        case ir.Slice(lower=ir.Expression() as bound):
            return function.value(bound, env).content.level.diverges
        case ir.Slice():
            return False
    made = _value_of(function, whole.id, 0) if isinstance(whole, ir.Name) else whole
    is_split = isinstance(made, ir.Call) and called(function, made) in SPLITS
    return is_split and function.value(index, env).content.level.diverges
