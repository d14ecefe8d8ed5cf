"""Decorators of the project: the function that replaces the decorated one and wraps it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import Given, arguments_of
from jaxmpi_lint.analysis.lattice.interfaces import Function
from jaxmpi_lint.analysis.lattice.lattice import Entity, FunctionReference, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program


class Decorators:
    """The functions that the decorators of a project substitute."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._wrappers: dict[tuple[str, str], Function | None] = {}
        self._met_running = False

    def wrapper(self, function: Function) -> Function | None:
        """The function that the only decorator of the project returns for the decorated one, specialised for it.

        Its communicators are those of the decorated function: ``self`` is the same object for both.
        """
        if not function.ir.decorators:
            return None
        if function.key not in self._wrappers:
            self._wrappers[function.key] = None  # during the search
            self._met_running = False
            found = self._find(function)
            if self._met_running:
                del self._wrappers[function.key]  # repeated when the decorator is known
                return found
            self._wrappers[function.key] = found
        return self._wrappers[function.key]

    def decorator_span(self, function: Function) -> ir.Span | None:
        """The position of the decorator's name."""
        found = self._known(function)
        return found[0].span if found is not None else None

    def entities(self, function: Function) -> list[tuple[ir.Expression, Entity | None]] | None:
        """The decorators of a function with what they name; None while the scope around it is being analysed."""
        scope = function.parent or function.module_model.body
        if self._project.is_running(scope):
            return None
        called = ((one, one.func if isinstance(one, ir.Call) else one) for one in function.ir.decorators)
        return [(decorator, scope.value(name, scope.flow.exit).entity) for decorator, name in called]

    def _known(self, function: Function) -> tuple[ir.Expression, FunctionReference] | None:
        """The decorator, if exactly one is a function of the project."""
        found = self.entities(function)
        self._met_running = self._met_running or found is None
        known = [(one, entity) for one, entity in found or () if isinstance(entity, FunctionReference)]
        return known[0] if len(known) == 1 else None

    def _find(self, function: Function) -> Function | None:
        known = self._known(function)
        if known is None:
            return None
        decorator, reference = known
        outer: Function | None = None
        constants: Given = {}
        if isinstance(decorator, ir.Call):
            outer = self._project.function(reference.path, reference.qualname)
            inner = self._returned(outer) if outer is not None else None
            if inner is None or outer is None:
                return None
            reference = inner
            constants = self._constants(function, decorator, outer)
            outer = outer.run_with({}, given=constants)
        maker = self._project.function(reference.path, reference.qualname)
        if maker is None or not maker.ir.parameters or maker.ir.is_generator:
            return None
        decorated = Value.uniform(FunctionReference(*function.key, bare=True))
        given = {maker.ir.parameters[0].name: decorated}
        made = maker.run_with(given, parent=outer)
        wrapper = self._defined_inside(made)
        if wrapper is None or wrapper.ir.is_generator:
            return None
        visible = {name: constant for name, constant in constants.items() if not wrapper.is_local(name)}
        return wrapper.run_with(_own_names(function, wrapper), given=visible, parent=made)

    def _constants(self, function: Function, decorator: ir.Call, maker: Function) -> Given:
        """The constants that a decorator is given, or has by default."""
        for scope in _scopes(function):
            bound = scope.bound(decorator) if not self._project.is_running(scope) else None
            if bound is not None:
                return scope.constants.passed(arguments_of(scope, bound, maker))
        return {}

    def _defined_inside(self, maker: Function) -> Function | None:
        """The function that is returned and defined here; the decorated function itself may be returned as well."""
        if self._project.is_running(maker):
            return None
        for block in maker.ir.blocks:
            value = block.terminator.value if isinstance(block.terminator, ir.Return) else None
            if value is not None and maker.flow.entries[block.index] is not None:
                entity = maker.value(value, maker.flow.environment_before(block.index, None)).entity
                if isinstance(entity, FunctionReference):
                    found = self._project.function(entity.path, entity.qualname)
                    if found is not None and found.ir.parent == maker.ir.qualname:
                        return found
        return None

    def _returned(self, function: Function) -> FunctionReference | None:
        if self._project.is_running(function):
            self._met_running = True
            return None
        if function.flow.returns is None:
            return None
        entity = function.flow.returns.entity
        return entity if isinstance(entity, FunctionReference) else None


def _scopes(function: Function) -> Iterator[Function]:
    """Where the decorators of a function are evaluated: in the body of its class, or around it."""
    owner = function.module.classes.get(function.ir.owner or "")
    if owner is not None:
        yield function.module_model.function(owner.body)
    yield function.parent or function.module_model.body


def _own_names(function: Function, wrapper: Function) -> dict[str, Value]:
    """The parameters of a wrapper that correspond to equally named ones of the decorated function."""
    own = function.initial_environment()
    return {parameter.name: own[parameter.name] for parameter in wrapper.ir.parameters if parameter.name in own}
