"""Names of a traced function that hold tracers; shapes, dtypes, lengths and static arguments are Python values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.limits import TRACED_SCOPES
from jaxmpi_lint.library.jax.tracers import STATIC_ATTRIBUTES, STATIC_CALLS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.tracing.traced_functions import Trace

_STATIC_COMPARISONS = frozenset({"in", "not in", "is", "is not"})


class _Known:
    """The traced names of one function, by the depth of the call chain that leads to it."""

    def __init__(self, function: Function) -> None:
        self.by_depth: dict[int, TracedNames] = {}


class TracedNames:
    """The local and free names of one function that hold tracers, as far as its callers determine it."""

    def __init__(self, function: Function, depth: int = 0) -> None:
        self._function = function
        self._depth = depth
        self.names = set(self._inherited()) | set(self._parameters())
        self._grow()

    @classmethod
    def of(cls, function: Function, depth: int = 0) -> TracedNames:
        """The names of a function; none if it is not traced."""
        known = function.get(_Known).by_depth
        if depth not in known:
            known[depth] = cls(function, depth)
        return known[depth]

    def holds_tracer(self, expression: ir.Expression) -> bool:
        """Whether a value is computed from tracers, not from their shapes or their presence alone."""
        match expression:
            case ir.Name(id=name):
                return name in self.names
            case ir.Attribute(attr=attr) if attr in STATIC_ATTRIBUTES:
                return False
            case ir.Call(func=func) if _last_name(func) in STATIC_CALLS:
                return False
            case ir.Comparison(operators=operators) if set(operators) <= _STATIC_COMPARISONS:
                return False
        return any(self.holds_tracer(child) for child in ir.children(expression))

    def _inherited(self) -> Iterator[str]:
        """Names of the enclosing function that are visible here."""
        parent = self._function.parent
        if parent is None or parent.ir.kind == "module" or self._depth >= TRACED_SCOPES:
            return
        if self._function.project.traced.trace_of(parent) is not None:
            for name in TracedNames.of(parent, self._depth + 1).names:
                if not self._function.is_local(name):
                    yield name

    def _parameters(self) -> Iterator[str]:
        trace = self._function.project.traced.trace_of(self._function)
        if trace is None or self._depth >= TRACED_SCOPES:
            return
        call = _call_of(self._function, trace)
        if call is None:
            static = _static_parameters(self._function, trace)
            yield from (p.name for p in self._function.ir.parameters if p.name not in static)
            return
        caller, bound_call = call
        outer = TracedNames.of(caller, self._depth + 1)
        for name, argument in _arguments(self._function, bound_call):
            if outer.holds_tracer(argument):
                yield name

    def _grow(self) -> None:
        """Names assigned from tracers hold tracers."""
        changed = True
        while changed:
            changed = False
            for step in self._function.ir.steps():
                for target, value in _bindings(step):
                    if self.holds_tracer(value):
                        stored = {node.id for node in ir.walk(target) if isinstance(node, ir.Name)}
                        changed |= not stored <= self.names
                        self.names |= stored


def _bindings(step: ir.Step) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    match step:
        case ir.Assign(targets=targets, value=value) if value is not None:
            yield from ((target, value) for target in targets)
        case ir.AugmentedAssign(target=target, value=value):
            yield target, value


def _call_of(function: Function, trace: Trace) -> tuple[Function, ir.Call] | None:
    """The call by which a traced function runs this one, if it is called and not passed to a transform."""
    if trace.caller is None:
        return None
    caller = function.project.function(*trace.caller)
    bound = caller.flow.calls.get(trace.span) if caller is not None else None
    if caller is None or bound is None:
        return None
    entity = bound.callee.entity
    called = getattr(entity, "function", entity)
    same = (getattr(called, "path", None), getattr(called, "qualname", None)) == function.key
    return (caller, bound.call) if same else None


def _arguments(function: Function, call: ir.Call) -> Iterator[tuple[str, ir.Expression]]:
    """Formal names and actual arguments; ``*args`` reaches every parameter after it."""
    parameters = [p.name for p in function.ir.parameters if p.kind in ("positional", "plain")]
    if function.self_name is not None and isinstance(call.func, ir.Attribute):
        parameters = parameters[1:]
    for index, argument in enumerate(call.args):
        if argument.keyword is not None:
            yield argument.keyword, argument.value
        elif argument.star:
            yield from ((name, argument.value) for name in parameters[index:])
            return
        elif index < len(parameters):
            yield parameters[index], argument.value


def _static_parameters(function: Function, trace: Trace) -> frozenset[str]:
    """The object of a method, and the parameters that the transform treats as Python values."""
    names = [parameter.name for parameter in function.ir.parameters]
    own = function.self_name
    found = {own} if own is not None else set()
    application = _application(function, trace)
    if application is None:
        return frozenset(found)
    positional = names[1:] if own is not None and application not in function.ir.decorators else names
    for argument in application.args:
        if argument.keyword in trace.transform.static:
            for node in ir.walk(argument.value):
                if isinstance(node, ir.Constant) and isinstance(node.value, str):
                    found.add(node.value)
                elif isinstance(node, ir.Constant) and isinstance(node.value, int) and node.value < len(positional):
                    found.add(positional[node.value])
    return frozenset(found)


def _application(function: Function, trace: Trace) -> ir.Call | None:
    """The decorator or call that applies the transform."""
    for decorator in function.ir.decorators:
        if decorator.span == trace.span:
            return decorator if isinstance(decorator, ir.Call) else None
    model = function.project.module(trace.module.path)
    for candidate in model.functions() if model is not None else ():
        bound = candidate.flow.calls.get(trace.span)
        if bound is not None:
            return bound.call
    return None


def _last_name(expression: ir.Expression) -> str:
    if isinstance(expression, ir.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ir.Name) else ""
