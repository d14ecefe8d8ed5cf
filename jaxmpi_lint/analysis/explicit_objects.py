"""Calls of a method by its class, which are given the object: ``Base.__init__(self, comm)``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.values import ClassReference, FunctionReference, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.evaluate import Environment, Evaluator


def with_object(
    evaluator: Evaluator, call: ir.Call, callee: Value, receiver: Value | None, env: Environment
) -> tuple[ir.Call, Value, Value | None]:
    """The call, what it calls and its receiver, as if the method were called on the object."""
    entity = callee.entity
    if receiver is None or not isinstance(receiver.entity, ClassReference) or not call.args:
        return call, callee, receiver
    if not isinstance(entity, FunctionReference) or entity.bound or call.args[0].star or call.args[0].keyword:
        return call, callee, receiver
    method = evaluator.project.function(entity.path, entity.qualname)
    if method is None or method.self_name is None:
        return call, callee, receiver
    given = evaluator.value(call.args[0].value, env)
    return replace(call, args=call.args[1:]), replace(callee, entity=replace(entity, bound=True)), given
