"""Where builtin ``hash()`` and ``id()`` reach a value, traced backwards from its use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import HASH_DEFINITIONS
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash, hash_of, returned_values

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_BREAKING = frozenset({"len", "isinstance", "type", "bool", "callable", "hasattr", "sorted", "any", "all"})


@dataclass(frozen=True, slots=True)
class ProcessHash:
    """A call of ``hash`` or ``id`` whose result differs between processes."""

    function: Function
    call: ir.Call
    builtin: str
    kind: Hash


class HashSearch:
    """Follows a value back to the hashes it is computed from; results of communication end the search."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, ir.Span]] = set()

    def sources(
        self, function: Function, expression: ir.Expression, env: Environment, depth: int = 0
    ) -> Iterator[ProcessHash]:
        """The hashes that the value of an expression depends on."""
        key = (function.module.path, expression.span)
        if depth > HASH_DEFINITIONS or key in self._seen:
            return
        self._seen.add(key)
        match expression:
            case ir.Call():
                yield from self._of_call(function, expression, env, depth)
            case ir.Name(id=name):
                yield from self._of_name(function, name, depth)
            case ir.Attribute():
                yield from self._of_field(function, expression, depth)
            case ir.Comparison():
                return
            case ir.Subscript(value=base):
                yield from self.sources(function, base, env, depth)
            case _:
                for child in _contents(expression):
                    yield from self.sources(function, child, env, depth)

    def _of_call(self, function: Function, call: ir.Call, env: Environment, depth: int) -> Iterator[ProcessHash]:
        bound = function.bound(call)
        if bound is None or bound.operations:
            return
        entity = bound.callee.entity
        if isinstance(entity, FunctionReference):
            yield from self._returned(function, entity, depth)
            return
        name = entity.dotted.removeprefix("builtins.") if isinstance(entity, Named) else ""
        if name in ("hash", "id") and len(call.args) == 1:
            kind = Hash.IDENTITY if name == "id" else hash_of(function, call.args[0].value, env)
            if kind not in (Hash.STABLE, Hash.OWN):
                yield ProcessHash(function, call, name, kind)
            return
        if name not in _BREAKING:
            for child in ir.children(call):
                yield from self.sources(function, child, env, depth)

    def _returned(self, function: Function, reference: FunctionReference, depth: int) -> Iterator[ProcessHash]:
        callee = function.project.function(reference.path, reference.qualname)
        if callee is None or callee.ir.is_generator or callee.ir.name == "__hash__":
            return
        for value, env in returned_values(callee):
            yield from self.sources(callee, value, env, depth + 1)

    def _of_name(self, function: Function, name: str, depth: int) -> Iterator[ProcessHash]:
        found = visible_definitions(function, name)
        if found is None:
            return
        scope, values = found
        if any(_is_communicated(scope, value) for value in values):
            return
        for value in values:
            yield from self.sources(scope, value, scope.flow.exit, depth + 1)

    def _of_field(self, function: Function, field: ir.Attribute, depth: int) -> Iterator[ProcessHash]:
        """The values that the methods of the class assign to a field of ``self``."""
        own = function.self_name
        owner = function.module.classes.get(function.ir.owner or "")
        if owner is None or not isinstance(field.value, ir.Name) or field.value.id != own:
            return
        for qualname in owner.methods.values():
            method = function.module_model.function(qualname)
            path = f"{method.self_name}.{field.attr}"
            for step in method.ir.steps():
                if not isinstance(step, ir.Assign) or step.value is None or _is_communicated(method, step.value):
                    continue
                if any(ir.dotted(target) == path for target in step.targets):
                    yield from self.sources(method, step.value, method.flow.exit, depth + 1)


def _contents(expression: ir.Expression) -> tuple[ir.Expression, ...]:
    """The parts that a value consists of; the keys of a dictionary only select its values."""
    match expression:
        case ir.Dictionary(values=values):
            return values
        case ir.Comprehension(element=element, value=value):
            return (element,) if value is None else (value,)
        case _:
            return ir.children(expression)


def _is_communicated(function: Function, value: ir.Expression) -> bool:
    """Whether a value is the result of communication, so that each process has the value intended for it."""
    if not isinstance(value, ir.Call):
        return False
    bound = function.bound(value)
    return bound is not None and bound.operation_may_communicate
