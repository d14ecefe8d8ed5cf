"""Narrowing by collective predicates: ``if all(comm.allgather(x is not None))``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.three_valued import is_truth_value
from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, Named, ResultOf
from jaxmpi_lint.library.mpi.agreement import (
    PREDICATES,
    REDUCTIONS_TRUE_OF_EVERY,
    REDUCTIONS_TRUE_OF_SOME,
    TRUE_OF_EVERY,
    TRUE_OF_SOME,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_ASKING = ("allgather", "allreduce")


def agreed(evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment) -> Environment:
    """The environment after a test of a value gathered from all processes: equal values are uniform.

    If all values are true, or none, each is known; with "not all", it is unknown which are false. Numbers may all be
    true and differ, or cancel in a sum: only expressions whose type is a truth value count.
    """
    if not evaluator.function.module_model.mentions(_ASKING):
        return env
    asked = _asked(evaluator, test, truth, env)
    if asked is None:
        return env
    condition, call = asked
    path, is_noneness = _decided(condition)
    if path is None or path not in env or _is_rebound(evaluator, path, call.span, test.span):
        return env
    if not is_noneness and not _is_truth_value(evaluator, path):
        return env
    held = env[path]
    told = replace(held, noneness=UNIFORM) if is_noneness else replace(held, content=UNIFORM)
    return {**env, path: told}


def _asked(
    evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment
) -> tuple[ir.Expression, ir.Call] | None:
    """The gathered expression and its collective, if the outcome implies that all processes contributed the same."""
    if isinstance(test, ir.Call) and len(test.args) == 1:
        summary = evaluator.value(test.func, env).entity
        name = summary.dotted if isinstance(summary, Named) else ""
        if name in (TRUE_OF_EVERY if truth else TRUE_OF_SOME):
            return _said(evaluator, test.args[0].value, "allgather", env)
    reduced = _said(evaluator, test, "allreduce", env)
    if reduced is None:
        return None
    operator = reduced[1].argument(1, "op")
    entity = evaluator.value(operator, env).entity if operator is not None else Named("SUM")
    kind = entity.dotted.rpartition(".")[2] if isinstance(entity, Named) else ""
    return reduced if kind in (REDUCTIONS_TRUE_OF_EVERY if truth else REDUCTIONS_TRUE_OF_SOME) else None


def _said(
    evaluator: ExpressionEvaluator, expression: ir.Expression, method: str, env: Environment
) -> tuple[ir.Expression, ir.Call] | None:
    entity = evaluator.value(expression, env).entity
    if not isinstance(entity, ResultOf) or entity.operation != f"mpi4py.MPI.Comm.{method}":
        return None
    for call in evaluator.function.ir.calls():
        if call.span == entity.span and entity.path == evaluator.module.path:
            sent = call.argument(0, "sendobj")
            return (sent, call) if sent is not None else None
    return None


def _decided(condition: ir.Expression) -> tuple[str | None, bool]:
    """The subject of a condition: a name that is true or false, or whether something is None."""
    condition, _ = ir.strip_not(condition)
    match condition:
        case ir.Comparison(operands=(left, ir.Constant(value=None)), operators=("is" | "is not" | "==" | "!=",)):
            return ir.dotted(left), True
    return ir.dotted(condition), False


def _is_truth_value(evaluator: ExpressionEvaluator, path: str) -> bool:
    """Whether every assignment to a name is True or False."""
    values = evaluator.function.assignments.get(path, {}).values()
    if not values or path in evaluator.function.bound_otherwise:
        return False
    return all(is_truth_value(value, _is_predicate) for value in values)


def _is_predicate(value: ir.Expression) -> bool:
    return isinstance(value, ir.Call) and (ir.dotted(value.func) or "").rpartition(".")[2] in PREDICATES


def _is_rebound(evaluator: ExpressionEvaluator, path: str, start: ir.Span, end: ir.Span) -> bool:
    """Whether a name may be rebound before the test."""
    spans = evaluator.function.assignments.get(path, {})
    return any(start[1] <= span[0] < end[0] for span in spans)
