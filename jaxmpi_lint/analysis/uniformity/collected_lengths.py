"""Lengths that a function adds up or gathers over the processes: the data itself is then a part of each process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Uniformity
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_COLLECTING = frozenset({"allreduce", "reduce", "scan", "exscan", "gather", "allgather"})
_EQUAL_FOR_EQUAL = frozenset({"MAX", "MIN"})
COLLECTED = "each process has a part of this data: its length is collected over the processes"


def collected(evaluator: ExpressionEvaluator, data: ir.Expression, env: Environment) -> Uniformity | None:
    """How the length of data differs, if its sum or the list of all lengths is asked for; None if it is not.

    The largest and the smallest length may be asked for to test that all are equal, so these tell nothing.
    """
    path = ir.dotted(data)
    if path is None or len(evaluator.function.assignments.get(path, {})) > 1:
        return None
    for call in evaluator.function.ir.calls():
        communicator = _collects(evaluator, call, path, env)
        if communicator is not None:
            differing = Uniformity(Level.LOCAL, communicator.rank_groups())
            return differing.because(evaluator.module, call.span, COLLECTED, Source.SHARE)
    return None


def _collects(evaluator: ExpressionEvaluator, call: ir.Call, path: str, env: Environment) -> Communicator | None:
    """The communicator of a call that collects the length of data."""
    if not isinstance(call.func, ir.Attribute) or call.func.attr not in _COLLECTING or not call.args:
        return None
    if not _is_length(evaluator, call.args[0].value, path) or _finds_extreme(call):
        return None
    entity = evaluator.value(call.func.value, env).entity
    return entity if isinstance(entity, Communicator) else None


def _is_length(evaluator: ExpressionEvaluator, expression: ir.Expression, path: str) -> bool:
    if isinstance(expression, ir.Name):
        values = list(evaluator.function.assignments.get(expression.id, {}).values())
        expression = values[0] if len(values) == 1 else expression
    match expression:
        case ir.Call(func=ir.Name(id="len"), args=(ir.Argument(value=measured),)):
            return ir.dotted(measured) == path
    return False


def _finds_extreme(call: ir.Call) -> bool:
    operator = call.argument(1, "op")
    return operator is not None and (ir.dotted(operator) or "").rpartition(".")[2] in _EQUAL_FOR_EQUAL
