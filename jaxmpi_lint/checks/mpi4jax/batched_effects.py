"""mpi4jax operations on mapped values under `vmap` that have no batching rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import named_steps
from jaxmpi_lint.analysis.cfg.def_use import expressions_read
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import BATCHED_CALLS
from jaxmpi_lint.checks.mpi4jax.control_flow_effects import LaxEffect, lax_effects
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.jax.mapping_transforms import VMAPS
from jaxmpi_lint.library.model import COMMUNICATING
from jaxmpi_lint.library.mpi.mpi4jax_functions import BATCHABLE
from jaxmpi_lint.library.python.names import PARTIAL

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class BatchedEffect:
    """The operation, the function it is in, and the place where ``vmap`` is applied."""

    function: Function
    bound: BoundCall
    module: ir.Module
    applied: ir.Span
    kind: str = "map"

    @property
    def method(self) -> str:
        """The operation."""
        return self.bound.known_operation.method

    @property
    def place(self) -> Place:
        """The call of the operation."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: there is no batching rule."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """Where `vmap` is applied."""
        yield Step(self.module, self.applied, "`vmap` is applied here")


def dismantled_effects(function: Function) -> Iterator[LaxEffect | BatchedEffect]:
    """The operations under divergent `jax.lax` control flow, and those that ``vmap`` maps over."""
    if function.project.mentions(("mpi4jax",)):
        yield from lax_effects(function)
        yield from batched_effects(function)


def batched_effects(function: Function) -> Iterator[BatchedEffect]:
    """Operations in a function, or in functions it maps, that ``vmap`` maps over."""
    for decorator in function.ir.decorators:
        if _maps(function.module_model.body, decorator, {}):
            call = decorator if isinstance(decorator, ir.Call) else None
            for target, bound in _mapped_calls(function, _mapped_parameters(function, call), 0):
                yield BatchedEffect(target, bound, function.module, decorator.span)
    for _, bound, env in named_steps(function, VMAPS):
        yield from _of_call(function, bound.call, env)


def _of_call(function: Function, call: ir.Call, env: Environment) -> Iterator[BatchedEffect]:
    given = call.argument(0, "fun")
    if given is None or not _maps(function, call.func, env):
        return
    entity = function.value(given, env).entity
    if isinstance(entity, Compiled):
        entity = entity.function
    target = function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None
    if target is None or not isinstance(entity, FunctionReference):
        return
    for holder, bound in _mapped_calls(target, _mapped_parameters(target, call), 0):
        yield BatchedEffect(holder, bound, function.module, call.span)


def _maps(function: Function, expression: ir.Expression, env: Environment) -> bool:
    """Whether an expression is ``vmap``, or ``functools.partial(vmap, ...)``."""
    if isinstance(expression, ir.Call):
        named = function.value(expression.func, env).entity
        partial = named == Named(PARTIAL) and bool(expression.args)
        return _maps(function, expression.args[0].value if partial else expression.func, env)
    entity = function.value(expression, env).entity
    return isinstance(entity, Named) and function.project.canonical(entity.dotted) in VMAPS


def _mapped_parameters(target: Function, call: ir.Call | None) -> frozenset[str]:
    """The parameters that ``in_axes`` maps; by default all except the object of a method."""
    names = [p.name for p in target.ir.parameters if p.name != target.self_name]
    axes = call.argument(1, "in_axes") if call is not None else None
    if axes is None or isinstance(axes, ir.Constant):
        return frozenset(names)
    if not isinstance(axes, ir.Collection):
        return frozenset()
    return frozenset(
        name
        for name, axis in zip(names, axes.elements, strict=False)
        if isinstance(axis, ir.Constant) and axis.value is not None
    )


def _mapped_calls(function: Function, mapped: frozenset[str], depth: int) -> Iterator[tuple[Function, BoundCall]]:
    if not mapped or depth > BATCHED_CALLS:
        return
    names = _grown(function, mapped)
    for bound in function.calls():
        operation = bound.operation
        if operation is not None:
            sent = [bound.argument(parameter) for parameter in operation.sends]
            refused = operation.library == "mpi4jax" and operation.kind in COMMUNICATING
            if refused and operation.method not in BATCHABLE and any(_reads(part, names) for part in sent):
                yield function, bound
        elif isinstance(bound.callee.entity, FunctionReference):
            yield from _in_callee(function, bound, bound.callee.entity, names, depth)


def _in_callee(
    function: Function, bound: BoundCall, reference: FunctionReference, names: frozenset[str], depth: int
) -> Iterator[tuple[Function, BoundCall]]:
    target = function.project.function(reference.path, reference.qualname)
    if target is None or target is function:
        return
    formal = [p.name for p in target.ir.parameters if p.name != target.self_name]
    given = {
        argument.keyword or (formal[index] if index < len(formal) else "")
        for index, argument in enumerate(bound.call.args)
        if not argument.star and _reads(argument.value, names)
    }
    yield from _mapped_calls(target, frozenset(given - {""}), depth + 1)


def _grown(function: Function, mapped: frozenset[str]) -> frozenset[str]:
    """The names that hold mapped values: the given names, and values computed from them."""
    names = set(mapped)
    changed = True
    while changed:
        changed = False
        for step in function.ir.steps():
            if isinstance(step, ir.Assign) and any(_reads(e, frozenset(names)) for e in expressions_read(step)):
                stored = {n.id for t in step.targets for n in ir.walk(t) if isinstance(n, ir.Name)}
                changed |= not stored <= names
                names |= stored
    return frozenset(names)


def _reads(expression: ir.Expression | None, names: frozenset[str]) -> bool:
    """Whether a value is computed from mapped values, not only from their shapes."""
    if expression is None:
        return False
    if isinstance(expression, ir.Name):
        return expression.id in names
    if isinstance(expression, ir.Attribute) and expression.attr in ("shape", "dtype", "ndim", "size"):
        return False
    return any(_reads(child, names) for child in ir.children(expression))
