"""Context managers of the project: objects with ``__enter__``, and generators with ``contextlib.contextmanager``."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Part
from jaxmpi_lint.analysis.lattice.lattice import NOTHING, Communicator, FunctionReference, Instance, Named, Value
from jaxmpi_lint.analysis.uniformity.callees import callee_of
from jaxmpi_lint.library.python.special_methods import CONTEXT_MANAGER, ENTERS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


def is_context_manager(function: Function, bound: BoundCall) -> bool:
    """Whether a call makes a context manager of a generator function of the project."""
    entity = bound.callee.entity
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    return target is not None and makes_context_manager(target)


def makes_context_manager(function: Function) -> bool:
    """Whether a generator function is decorated with ``contextlib.contextmanager``."""
    if not function.ir.is_generator or function.ir.is_async:
        return False
    named = (function.module_model.named(decorator).entity for decorator in function.ir.decorators)
    return any(entity == Named(CONTEXT_MANAGER) for entity in named)


def entered(function: ir.Function) -> frozenset[ir.Span]:
    """The expressions that the ``with`` statements of a function enter."""
    return frozenset(step.context.span for step in function.steps() if isinstance(step, ir.Enter))


def entered_value(evaluator: ExpressionEvaluator, context: ir.Expression, env: Environment) -> Value:
    """What ``with context as name`` binds: for a library's context managers, the object itself."""
    value = evaluator.value(context, env)
    if isinstance(value.entity, Instance):
        return _entered_object(evaluator, context, value, value.entity, env)
    if value.entity is None and isinstance(context, ir.Call):
        bound = evaluator.calls.bind(context, env)
        if is_context_manager(evaluator.function, bound):
            return _yielded(evaluator.function, bound, env)
    return value


def _entered_object(
    evaluator: ExpressionEvaluator, context: ir.Expression, value: Value, owner: Instance, env: Environment
) -> Value:
    model = evaluator.project.class_model(owner)
    method = model.method(ENTERS) if model is not None else None
    if method is None:
        return value
    call = ir.Call(context.span, ir.Attribute(context.span, context, ENTERS), ())
    found = evaluator.calls.result(BoundCall(call, Value.uniform(method), value, (), None), env)
    entity = found.entity
    returns_itself = isinstance(entity, Instance) and entity.key == "self" and entity.qualname == owner.qualname
    return value if returns_itself else found


def _yielded(function: Function, bound: BoundCall, env: Environment) -> Value:
    """The communicator that a generator yields, in terms of its caller; other values are not followed."""
    callee = callee_of(function, bound, env, Part.UP_TO_YIELD)
    if callee is None or function.project.is_running(callee.function):
        return NOTHING
    target = callee.function
    found = [
        target.value(step.expression.value, inner)
        for _, step, inner in target.steps(lambda step: isinstance(step, ir.Evaluate))
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Yield) and step.expression.value is not None
    ]
    entity = reduce(Value.join, found).entity if found else None
    return Value(callee.rename(entity)) if isinstance(entity, Communicator) else NOTHING
