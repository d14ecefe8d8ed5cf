"""Lists in pickle-based sums that should be added item by item: Python joins lists, and tuples as well."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import definitions, reads_anywhere
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.wrong_arguments import WrongArgument
from jaxmpi_lint.findings.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_REASON = "lists are joined: their items are not added"
_OF_RANKS = re.compile(r"rank|size|procs|local", re.IGNORECASE)
"""Lengths that differ between ranks or numbers of ranks: the lists may be parts that are to be joined."""

_GROWS = frozenset({"append", "extend", "insert", "pop", "remove", "clear"})


@dataclass(frozen=True, slots=True)
class SummedList(WrongArgument):
    """A sum with such an operand."""

    kind: str = "joined"

    @property
    def confidence(self) -> Confidence:
        """Medium: the joined list may be meant."""
        return Confidence.MEDIUM


def summed_lists(function: Function) -> Iterator[SummedList]:
    """The sums of a function whose operand is such a list."""
    seen: set[ir.Span] = set()
    for _, bound, _ in operation_steps(function, _reduces_objects):
        operand = bound.argument(bound.known_operation.sends[0])
        name = None if operand is None else ir.dotted(operand)
        if operand is None or bound.call.span in seen or not _is_sum(function, bound):
            continue
        is_literal = isinstance(operand, ir.Collection) and _is_read_as_sums(function, bound.call, operand)
        if is_literal or (name and _is_of_counters(list(_scope(function, name)), name, bound.call)):
            seen.add(bound.call.span)
            yield SummedList(function, bound, operand, _REASON)


def _is_read_as_sums(function: Function, sum_: ir.Call, operand: ir.Collection) -> bool:
    """Whether as many items of the result are read as one rank passes: `total = allreduce([a, b])`, `total[1]`."""
    length = len(operand.elements)
    if operand.kind not in ("list", "tuple") or length < 2 or any(isinstance(x, ir.Starred) for x in operand.elements):
        return False
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=(ir.Collection(elements=targets),), value=value) if value is sum_:
                return len(targets) == length and not any(isinstance(target, ir.Starred) for target in targets)
            case ir.Assign(targets=(ir.Name(id=name),), value=value) if value is sum_:
                return definitions(function, name) == [sum_] and _reads_items(function, name, length)
    return False


def _reads_items(function: Function, name: str, length: int) -> bool:
    """Whether a name is read by items alone, none of which lies beyond the length."""
    reads = [node for read in reads_anywhere(function.ir) for node in ir.walk(read)]
    whole = {node.span for node in reads if isinstance(node, ir.Name) and node.id == name}
    items = [node for node in reads if isinstance(node, ir.Subscript) and ir.dotted(node.value) == name]
    return (
        bool(items)
        and whole == {one.value.span for one in items}
        and all(_is_below(one.index, length) for one in items)
    )


def _is_below(index: ir.Expression, length: int) -> bool:
    return isinstance(index, ir.Constant) and type(index.value) is int and 0 <= index.value < length


def _reduces_objects(bound: BoundCall) -> bool:
    found = bound.operation
    is_reduction = found is not None and bool(found.reduction) and bool(found.sends)
    return is_reduction and found is not None and found.library == "mpi4py" and not found.buffer


def _is_sum(function: Function, bound: BoundCall) -> bool:
    operator = bound.argument(bound.known_operation.reduction)
    is_addition = operator is None or (ir.dotted(operator) or "").endswith("MPI.SUM")
    return is_addition and is_mpi4py_call(function.project, bound, function)


def _scope(function: Function, name: str) -> Iterable[ir.Function]:
    """Where the list is made and changed: the function, or all methods for a field of the own object."""
    owner, _, field = name.rpartition(".")
    if not owner:
        return [function.ir]
    if owner != function.self_name or "." in field:
        return []
    return [one for one in function.module.functions.values() if one.owner == function.ir.owner]


def _is_of_counters(scope: list[ir.Function], name: str, sum_: ir.Call) -> bool:
    """Whether a list has constants at first and its items are added to, and nothing else makes or lengthens it."""
    counts = False
    makers = 0
    for step in (step for function in scope for step in function.steps()):
        match step:
            case ir.AugmentedAssign(target=target) if ir.dotted(target) == name:
                return False
            case ir.AugmentedAssign(target=ir.Subscript() as target) if ir.dotted(_base(target)) == name:
                counts = True
            case ir.Assign(targets=targets, value=value) if any(ir.dotted(one) == name for one in targets):
                if value is None or not (value is sum_ or _is_constant_list(value)):
                    return False
                makers += value is not sum_
            case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=owner, attr=method))):
                if method in _GROWS and ir.dotted(owner) == name:
                    return False
    return counts and makers > 0


def _base(item: ir.Subscript) -> ir.Expression:
    """The name before all indices."""
    found: ir.Expression = item
    while isinstance(found, ir.Subscript):
        found = found.value
    return found


def _is_constant_list(value: ir.Expression) -> bool:
    """``[0] * n``, ``[0 for _ in range(n)]`` or ``[0, 0]``, where the length does not depend on the rank."""
    match value:
        case ir.BinaryOperation(operator="*", left=ir.Collection(kind="list") as items, right=length) | (
            ir.BinaryOperation(operator="*", left=length, right=ir.Collection(kind="list") as items)
        ):
            return len(items.elements) == 1 and _is_start(items.elements[0]) and not _is_of_ranks(length)
        case ir.Comprehension(kind="list", element=element, generators=(one,)):
            return _is_start(element) and not one.conditions and not _is_of_ranks(one.iterable)
        case ir.Collection(kind="list", elements=elements):
            return len(elements) > 1 and all(map(_is_start, elements))
    return False


def _is_start(value: ir.Expression) -> bool:
    is_number = isinstance(value, ir.Constant) and isinstance(value.value, int | float)
    return is_number or _is_constant_list(value)


def _is_of_ranks(length: ir.Expression) -> bool:
    names = (ir.dotted(node) for node in ir.walk(length))
    return any(_OF_RANKS.search(name) for name in names if name is not None)
