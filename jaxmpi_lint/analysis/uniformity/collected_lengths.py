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
    paths = [path for path in map(ir.dotted, ir.walk(data)) if path is not None]
    text = evaluator.module.source(data.span)
    for call in evaluator.function.ir.calls():
        communicator = _collects(evaluator, call, text, env) if paths else None
        if communicator is not None and not _is_assigned_between(evaluator, paths, data.span, call.span):
            differing = Uniformity(Level.LOCAL, communicator.rank_groups())
            return differing.because(evaluator.module, call.span, COLLECTED, Source.SHARE)
    return None


def _is_assigned_between(evaluator: ExpressionEvaluator, paths: list[str], *places: ir.Span) -> bool:
    first, last = sorted(places)
    values = (value for path in paths for value in evaluator.function.assignments.get(path, {}).values())
    return any(first[0] <= value.span[0] <= last[1] for value in values)


def _collects(evaluator: ExpressionEvaluator, call: ir.Call, text: str, env: Environment) -> Communicator | None:
    """The communicator of a call that collects the length of data."""
    if not isinstance(call.func, ir.Attribute) or call.func.attr not in _COLLECTING or not call.args:
        return None
    if not _is_length(evaluator, call.args[0].value, text) or _finds_extreme(call):
        return None
    entity = evaluator.value(call.func.value, env).entity
    return entity if isinstance(entity, Communicator) else None


def _is_length(evaluator: ExpressionEvaluator, expression: ir.Expression, text: str) -> bool:
    if isinstance(expression, ir.Name):
        values = list(evaluator.function.assignments.get(expression.id, {}).values())
        expression = values[0] if len(values) == 1 else expression
    match expression:
        case ir.Call(func=ir.Name(id="len"), args=(ir.Argument(value=measured),)):
            return evaluator.module.source(measured.span) == text
    return False


def _finds_extreme(call: ir.Call) -> bool:
    operator = call.argument(1, "op")
    return operator is not None and (ir.dotted(operator) or "").rpartition(".")[2] in _EQUAL_FOR_EQUAL
