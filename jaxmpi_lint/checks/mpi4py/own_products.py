"""Scalar products over all ranks that are divided by the scalar product of one rank's parts, or divide it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.mpi4py.totals import Total, called, is_sum, quotients, total
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.python.element_sums import CONVERSIONS, COPIES, PRODUCTS, SUMS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_DEEPEST = 4
_ELEMENTWISE = ("+", "-", "*", "/")


@dataclass(frozen=True, slots=True)
class OwnProduct:
    """A scalar product of the parts on this rank, ``own``, in a quotient with one over all ranks."""

    function: Function
    own: ir.Expression
    reduced: Total

    @property
    def place(self) -> Place:
        """The scalar product that is not summed."""
        return Place(self.function.module, self.own.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the parts may be equal on all ranks by an argument that the text does not show."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The scalar product of this rank's parts, as it is written."""
        return self.function.module.line(self.own.span)

    def steps(self) -> Iterator[Step]:
        """The reduction of the other scalar product."""
        yield Step(self.reduced.function.module, self.reduced.call.span, "the other one is summed over all ranks")


def own_products(function: Function) -> Iterator[OwnProduct]:
    """The quotients of a function of which one side is a sum over all ranks and the other one is not."""
    if not function.any_call_may_communicate:
        return
    for node, env in quotients(function):
        if node.operator != "/":
            continue
        for side, other in ((node.right, node.left), (node.left, node.right)):
            own = _product(function, side)
            found = _reduced(function, other, env) if own is not None else None
            if own is None or found is None:
                continue
            if side is node.left and (_is_fraction(function, own, other, found[1]) or _is_summed(function, node)):
                continue
            if _are_parts(function, own, found[1]):
                yield OwnProduct(function, own, found[0])


def _is_fraction(function: Function, own: ir.Expression, whole: ir.Expression, reduced: set[str]) -> bool:
    """Whether a rank divides its part by the sum of all parts."""
    is_one_sum = not isinstance(whole, ir.Name) or len(_values(function, whole.id)) == 1
    return is_one_sum and set(_factors(function, own)) == reduced


def _is_summed(function: Function, quotient: ir.Expression) -> bool:
    """Whether the quotients of all ranks are summed: that of the sums."""
    names = {
        ir.dotted(target)
        for step in function.ir.steps()
        if isinstance(step, ir.Assign) and step.value is not None and _holds(step.value, quotient)
        for target in step.targets
    }
    given = (one.value for bound in function.calls() if bound.operation is not None for one in bound.call.args)
    return any(_holds(one, quotient) or names & set(map(ir.dotted, ir.walk(one))) - {None} for one in given)


def _holds(expression: ir.Expression, part: ir.Expression) -> bool:
    return any(node is part for node in ir.walk(expression))


def _product(function: Function, expression: ir.Expression | None, depth: int = 0) -> ir.Expression | None:
    """The scalar product of two local vectors that an expression is."""
    match expression:
        case ir.Name(id=name):
            return _product(function, _only_value(function, name), depth + 1) if depth < _DEEPEST else None
        case ir.Call(args=(first,)) if called(function, expression) in CONVERSIONS:
            return _product(function, first.value, depth)
    return expression if _factors(function, expression) else None


def _factors(function: Function, expression: ir.Expression | None) -> tuple[str, ...]:
    """The variables of a scalar product: ``a @ b``, ``np.dot(a, b)``, ``a.dot(b)``, ``np.sum(a * b)``."""
    match expression:
        case ir.BinaryOperation(operator="@", left=ir.Name(id=left), right=ir.Name(id=right)):
            return left, right
        case ir.Call(
            func=ir.Attribute(value=ir.Name(id=left), attr="dot"), args=(ir.Argument(value=ir.Name(id=right)),)
        ):
            return (left, right) if function.is_local(left) else ()
        case ir.Call(args=(ir.Argument(value=ir.Name(id=left)), ir.Argument(value=ir.Name(id=right)))):
            return (left, right) if called(function, expression) in PRODUCTS else ()
        case ir.Call(func=ir.Attribute(value=product, attr="sum"), args=()):
            return _multiplied(product)
        case ir.Call(args=(first,)) if called(function, expression) in SUMS:
            return _multiplied(first.value)
    return ()


def _multiplied(expression: ir.Expression) -> tuple[str, ...]:
    match expression:
        case ir.BinaryOperation(operator="*", left=ir.Name(id=left), right=ir.Name(id=right)):
            return left, right
        case ir.BinaryOperation(operator="**", left=ir.Name(id=name), right=ir.Constant(value=2)):
            return (name,)
    return ()


def _reduced(function: Function, expression: ir.Expression, env: Environment) -> tuple[Total, set[str]] | None:
    """The sum over all ranks of scalar products that an expression is, with the variables multiplied.

    A variable may get one's own product as well: that is the mistake.
    """
    if isinstance(expression, ir.Subscript) and isinstance(expression.index, ir.Constant):
        return _received(function, ir.dotted(expression.value))
    values = _values(function, expression.id) if isinstance(expression, ir.Name) else [expression]
    found: Total | None = None
    factors: set[str] = set()
    for value in values:
        if _product(function, value) is not None:
            continue
        one, names = _total_of(function, value, env)
        if one is None or one.is_mean or one.is_ratio or not names:
            return None
        found = found or one
        factors |= names
    return (found, factors) if found is not None else None


def _total_of(function: Function, value: ir.Expression, env: Environment) -> tuple[Total | None, set[str]]:
    """A sum over all ranks; also that of the pass before, ``old = new`` at the end of a loop."""
    one = total(function, value, env)
    made = _only_value(function, value.id) if isinstance(value, ir.Name) else None
    value = made or value
    one = one or total(function, value, env)
    return one, _sent(function, one, value) if one is not None else set()


def _received(function: Function, name: str | None) -> tuple[Total, set[str]] | None:
    """The sum over all ranks in the only element of a buffer into which nothing but sums is received."""
    calls = [bound for bound in function.operation_calls if name in map(ir.dotted, _given(bound, "receives"))]
    if name is None or not calls or not all(is_sum(function, bound) for bound in calls):
        return None
    sent = [one for bound in calls for one in _given(bound, "sends")]
    factors = {factor for one in sent for factor in _of_buffer(function, one)}
    first = calls[0]
    if first.communicator is None or not factors:
        return None
    return Total(function, first.call, first.communicator, first.known_operation.method.lower()), factors


def _given(bound: BoundCall, role: str) -> list[ir.Expression]:
    names: tuple[str, ...] = getattr(bound.known_operation, role)
    return [given for given in map(bound.argument, names) if given is not None]


def _of_buffer(function: Function, buffer: ir.Expression) -> Iterator[str]:
    """The variables whose scalar product a buffer with one number holds."""
    made = _values(function, buffer.id) if isinstance(buffer, ir.Name) else [buffer]
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=(ir.Subscript(value=ir.Name() as stored),), value=ir.Expression() as value):
                if stored.id == ir.dotted(buffer):
                    made.append(value)
    for value in made:
        yield from _factors(function, _product(function, _number_in(function, value)))


def _number_in(function: Function, value: ir.Expression) -> ir.Expression:
    """The number in an array of one."""
    match value:
        case ir.Call(args=(first, *_)) if called(function, value) in CONVERSIONS:
            return _number_in(function, first.value)
        case ir.Collection(elements=(only,)):
            return only
    return value


def _sent(function: Function, one: Total, value: ir.Expression) -> set[str]:
    """The variables whose scalar product is summed; through a function of the project, its arguments."""
    bound = one.function.bound(one.call)
    sent = _given(bound, "sends") if bound is not None and bound.operation is not None else []
    factors = {factor for given in sent for factor in _of_buffer(one.function, given)}
    if one.function is function or not factors:
        return factors
    return {node.id for node in ir.walk(value) if isinstance(node, ir.Name) and function.is_local(node.id)}


def _are_parts(function: Function, own: ir.Expression, reduced: set[str]) -> bool:
    """Whether the vectors of a product are made in the function, one from those that are summed over all ranks."""
    factors = _factors(function, own)
    if not all(function.assignments.get(name) for name in factors):
        return False
    parts = {ancestor for name in reduced for ancestor in _ancestors(function, name)}
    return any(not parts.isdisjoint(_ancestors(function, name)) for name in factors)


def _ancestors(function: Function, name: str) -> set[str]:
    """A vector and those from which it is computed element by element."""
    found: set[str] = set()
    todo = [name]
    while todo:
        name = todo.pop()
        if name not in found and function.is_local(name):
            found.add(name)
            todo.extend(vector for value in _values(function, name) for vector in _vectors(function, value))
    return found


def _vectors(function: Function, value: ir.Expression) -> Iterator[str]:
    """The vectors of an element-by-element expression; the factor of a vector may be a number."""
    match value:
        case ir.Name(id=name):
            yield name
        case ir.BinaryOperation(operator="+" | "-", left=left, right=right):
            yield from _vectors(function, left)
            yield from _vectors(function, right)
        case ir.BinaryOperation(operator="*" | "/", left=left, right=right):
            names = [name for side in (left, right) for name in _vectors(function, side)]
            yield from (name for name in names if not _is_number(function, name))
        case ir.UnaryOperation(operand=operand):
            yield from _vectors(function, operand)
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), attr="copy"), args=()):
            yield name
        case ir.Call(args=(first, *_)) if called(function, value) in COPIES:
            yield from _vectors(function, first.value)


def _is_number(function: Function, name: str) -> bool:
    """Whether a variable is a constant, or a quotient of numbers as the length of a step is."""
    return any(isinstance(value, ir.Constant) or _is_quotient(function, value) for value in _values(function, name))


def _is_quotient(function: Function, value: ir.Expression) -> bool:
    if not isinstance(value, ir.BinaryOperation) or value.operator != "/":
        return False
    env = function.flow.exit
    return any(_product(function, side) or _reduced(function, side, env) for side in (value.left, value.right))


def _values(function: Function, name: str) -> list[ir.Expression]:
    return list(function.assignments.get(name, {}).values())


def _only_value(function: Function, name: str) -> ir.Expression | None:
    values = _values(function, name)
    return values[0] if len(values) == 1 and name not in function.bound_otherwise and function.is_local(name) else None
