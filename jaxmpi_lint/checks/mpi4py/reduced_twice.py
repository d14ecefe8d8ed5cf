"""Sums over the ranks of values that already are sums over the same ranks, and means that are divided once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, names_bound, terminator_expressions
from jaxmpi_lint.checks.mpi4py.totals import Total, is_size, is_sum, quotients, total
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class ReducedTwice:
    """A reduction of a value that is reduced, or a division of a mean: ``node``, with its operand."""

    function: Function
    node: ir.Expression
    operand: ir.Expression
    first: Total
    kind: str = "summed"

    @property
    def place(self) -> Place:
        """The second reduction or division."""
        return Place(self.function.module, self.node.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the program may count on the factor."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The operand, as it is written."""
        return self.function.module.line(self.operand.span)

    def steps(self) -> Iterator[Step]:
        """The first reduction."""
        yield Step(
            self.first.function.module, self.first.call.span, "the first reduction: equal on all ranks afterwards"
        )


def reduced_twice(function: Function) -> Iterator[ReducedTwice]:
    """The second reductions of a function, and its second divisions."""
    yield from _summed_again(function)
    yield from _divided_again(function)


def _summed_again(function: Function) -> Iterator[ReducedTwice]:
    for _, bound, env in operation_steps(function, lambda bound: is_sum(function, bound)):
        operand = bound.argument(bound.known_operation.sends[0]) if bound.known_operation.sends else None
        first = total(function, operand, env) if operand is not None else None
        if operand is None or first is None or first.is_mean or not _is_of_same_ranks(bound, first):
            continue
        if bound.known_operation.buffer or is_divided(function, bound.call, first, env):
            continue
        yield ReducedTwice(function, bound.call, operand, first)


def _is_of_same_ranks(bound: BoundCall, first: Total) -> bool:
    """Whether both reductions are on one communicator: a sum over rows may be summed over all ranks."""
    return bound.communicator is not None and first.communicator.groups == bound.communicator.groups


def is_divided(function: Function, call: ir.Expression, first: Total, env: Environment) -> bool:
    """Whether the result is divided by the number of ranks, at once or under its name: a mean of equal values."""
    names = {
        ir.dotted(target)
        for step in function.ir.steps()
        if isinstance(step, ir.Assign) and step.value is not None and step.value.span == call.span
        for target in step.targets
    }
    for step in function.ir.steps():
        if isinstance(step, ir.AugmentedAssign) and step.operator.startswith("/") and ir.dotted(step.target) in names:
            return True
        for node in (node for one in expressions_read(step) for node in ir.walk(one)):
            match node:
                case ir.BinaryOperation(operator="/" | "//", left=left, right=right):
                    parts = list(ir.walk(left))
                    inside = any(part.span == call.span or ir.dotted(part) in names - {None} for part in parts)
                    if inside and is_size(function, right, env, first.communicator):
                        return True
    return False


def _divided_again(function: Function) -> Iterator[ReducedTwice]:
    """The means that are divided by the number of ranks, except under a root, as for the error of a mean."""
    asks_for_size = any(word in function.module.source(function.ir.span) for word in ("size", "Get_size"))
    for node, env in quotients(function) if asks_for_size else ():
        first = total(function, node.left, env)
        if first is None or not first.is_mean or isinstance(node.left, ir.BinaryOperation):
            continue
        if is_size(function, node.right, env, first.communicator) and not _is_below_root(function, node):
            yield ReducedTwice(function, node, node.left, first, "divided")


def _is_below_root(function: Function, node: ir.Expression) -> bool:
    """Whether a square root is taken of a quotient, or of a value that a statement computes from it."""
    steps = [
        step
        for step in function.ir.steps()
        if any(part is node for one in expressions_read(step) for part in ir.walk(one))
    ]
    names = {name for step in steps for name in names_bound(step)}
    ends = [one for block in function.ir.blocks for one in terminator_expressions(block)]
    read = [*(one for step in function.ir.steps() for one in expressions_read(step)), *ends]
    roots = [root for one in read for inner in ir.walk(one) if (root := _under_root(inner)) is not None]
    return any(part is node or ir.dotted(part) in names for root in roots for part in ir.walk(root))


def _under_root(node: ir.Expression) -> ir.Expression | None:
    """The expression of which a square root is taken."""
    match node:
        case ir.Call(func=func, args=(first,)) if (ir.dotted(func) or "").rpartition(".")[2] == "sqrt":
            return first.value
        case ir.BinaryOperation(operator="**", left=left, right=ir.Constant(value=float())):
            return left
    return None
