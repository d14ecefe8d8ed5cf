"""The values of parameters on entry, by annotations, names, uses and callers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.expected_failures import is_test_file
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNKNOWN,
    ClassReference,
    FunctionReference,
    Instance,
    Named,
    Uniformity,
    Value,
)
from jaxmpi_lint.analysis.model.call_sites import COMMUNICATOR, CallSites
from jaxmpi_lint.analysis.uniformity.annotations import (
    annotated_instance,
    annotates_communicator,
    is_communicator_by_default,
    is_plain_value,
    library_object,
)
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.python.divergence_sources import TEMPORARY_NAME
from jaxmpi_lint.library.python.process_values import FOLDERS_OF_TESTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class Parameters:
    """The parameters of one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._project = function.project

    def value(self, parameter: ir.Parameter) -> Value:
        """The value of a parameter on entry."""
        if parameter.kind in ("star", "double-star"):
            return NOTHING
        function = self._function
        if parameter.name in FOLDERS_OF_TESTS and self._is_of_pytest(parameter.name):
            told = Uniformity(Level.LOCAL).because(function.module, parameter.span, TEMPORARY_NAME, Source.MACHINE)
            return Value(None, told)
        context = f"{function.module.path}:{function.ir.qualname}:{parameter.name}"
        if parameter.annotation is not None and annotates_communicator(function, parameter.annotation):
            return self._project.guessed_communicator(context, parameter.name)
        if parameter.annotation is not None:
            instance = annotated_instance(function, parameter.annotation, context)
            if instance is not None:
                return instance
        if self._is_communicator(parameter):
            return self._project.guessed_communicator(context, parameter.name)
        if parameter.annotation is None and parameter.name != function.self_name:
            return self._project.shapes.instance(function, parameter.name, context) or self._passed(parameter, context)
        return NOTHING

    def _is_of_pytest(self, name: str) -> bool:
        """Whether a test gets a fixture of pytest, which the project does not replace by its own."""
        function = self._function
        if not (is_test_file(function.module.path) and function.ir.name.startswith("test")):
            return False
        if any(name in model.ir.functions for model in self._project.modules()):
            return False
        levels = range(1, function.module.path.count(os.sep) + 1)
        found = (self._project.located(function.module, "." * level + "conftest")[0] for level in levels)
        return not any(name in one.functions for one in found if one is not None)  # files that do not communicate

    def _is_communicator(self, parameter: ir.Parameter) -> bool:
        if self._project.may_be_communicator(parameter.name) and not is_plain_value(parameter):
            return True
        used = self._project.is_of_mpi and parameter.name in self._communicator_like
        return used or is_communicator_by_default(self._function, parameter)

    def _passed(self, parameter: ir.Parameter, key: str) -> Value:
        """An object of the class that the callers pass, if it has all attributes that are used."""
        used = set(self._function.attributes_read.get(parameter.name, ()))
        kept = self._kept.get(parameter.name, set())
        if not (used or (self._project.is_of_mpi and (kept or parameter.name in self._given_on))):
            return NOTHING
        found = self._project.get(CallSites).class_of(self._function, parameter.name)
        if not self._project.is_of_mpi and not isinstance(found, Named):
            return NOTHING
        if found == COMMUNICATOR:
            return self._project.guessed_communicator(key, parameter.name)
        if isinstance(found, Named):
            return library_object(self._function, found.dotted, self._function.ir.span, key)
        if found is None or not used | kept <= self._project.shapes.attributes(found):
            return NOTHING
        return Value(Instance(found.path, found.qualname, key), UNKNOWN, UNKNOWN, UNKNOWN)

    @cached_property
    def _given_on(self) -> frozenset[str]:
        """The names that are arguments of calls."""
        arguments = (argument.value for call in self._function.ir.calls() for argument in call.args)
        return frozenset(value.id for value in arguments if isinstance(value, ir.Name))

    @cached_property
    def _kept(self) -> dict[str, set[str]]:
        """The attributes that methods read of the fields that keep a parameter, by its name."""
        own, owner = self._function.self_name, self._function.ir.owner
        found: dict[str, set[str]] = {}
        if own is None or owner is None:
            return found
        fields = {
            value.id: path
            for path, values in self._function.assignments.items()
            for value in values.values()
            if isinstance(value, ir.Name) and path.startswith(f"{own}.")
        }
        for qualname in self._function.module.classes[owner].methods.values() if fields else ():
            method = self._function.module_model.function(qualname)
            for name, path in fields.items():
                held = f"{method.self_name}.{path.partition('.')[2]}"
                found.setdefault(name, set()).update(method.attributes_read.get(held, ()))
        return {name: read for name, read in found.items() if read}

    @cached_property
    def _communicator_like(self) -> frozenset[str]:
        return frozenset(name for call in self._function.ir.calls() for name in self._treated(call))

    def _treated(self, call: ir.Call) -> Iterator[str]:
        """The names that a call treats as communicators: by a method, by a test, or by the parameter they become."""
        match call:
            case ir.Call(func=ir.Attribute(value=ir.Name(id=name), attr=method)):
                if self._project.catalogue.unmistakable(method):
                    yield name
            case ir.Call(
                func=ir.Name(id="isinstance"), args=(ir.Argument(value=ir.Name(id=name)), ir.Argument(value=kind))
            ):
                if annotates_communicator(self._function, kind):
                    yield name
        yield from self._passed_on(call)

    def _passed_on(self, call: ir.Call) -> Iterator[str]:
        """The names that are passed for a parameter with the name of a communicator."""
        names = {argument.value.id for argument in call.args if isinstance(argument.value, ir.Name)}
        if not self._own_names.intersection(names) or ir.dotted(call.func) is None or call.has_star:
            return
        target = self._called(call.func)
        parameters = target.ir.parameters if target is not None else ()
        if target is not None and target.self_name is not None:
            parameters = parameters[1:]
        for place, parameter in enumerate(parameters):
            given = call.argument(place, parameter.name)
            if isinstance(given, ir.Name) and self._project.may_be_communicator(parameter.name):
                yield from () if is_plain_value(parameter) else (given.id,)

    def _called(self, called: ir.Expression) -> Function | None:
        entity = self._function.module_model.named(called).entity
        if isinstance(entity, FunctionReference):
            return self._project.function(*entity.key)
        model = self._project.class_model(entity) if isinstance(entity, ClassReference) else None
        constructor = model.method("__init__") if model is not None else None
        return self._project.function(*constructor.key) if constructor is not None else None

    @cached_property
    def _own_names(self) -> frozenset[str]:
        return frozenset(parameter.name for parameter in self._function.ir.parameters)
