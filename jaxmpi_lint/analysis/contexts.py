"""Functions as their callers run them: with arguments that differ between the processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.communicator_uses import call_of
from jaxmpi_lint.analysis.constants import Given, arguments_of, tested_names
from jaxmpi_lint.analysis.function import FunctionModel
from jaxmpi_lint.analysis.possible_sizes import possible_sizes
from jaxmpi_lint.analysis.values import Communicator, FunctionReference, Instance, Level, Literal, Uniformity, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.evaluate import Environment
    from jaxmpi_lint.analysis.project import Project

_DEPTH = 3
_CONTEXTS = 200
"""Runs of functions with arguments of their own after which further ones are not looked at."""


class Contexts:
    """The runs of functions that a project's calls make and whose arguments differ between processes."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: dict[tuple[str, str], list[FunctionModel]] | None = None
        self._count = 0
        self._constant: dict[tuple[tuple[str, str], frozenset[tuple[str, Literal]]], FunctionModel] = {}

    def with_constants(self, function: FunctionModel, given: Given) -> FunctionModel:
        """The function as calls run it that pass certain constants, of which it branches on some."""
        wanted = {name: constant for name, constant in given.items() if name in tested_names(function)}
        if not wanted or len(self._constant) >= _CONTEXTS:
            return function
        key = function.key, frozenset(wanted.items())
        if key not in self._constant:
            passed = {name: Value.uniform(constant) for name, constant in wanted.items()}
            self._constant[key] = function.run_with(passed, given=wanted)
        return self._constant[key]

    def of(self, function: FunctionModel) -> list[FunctionModel]:
        """The function once more for each call that passes such arguments."""
        if self._found is None:
            self._found = {}
            for model in self._project.modules():
                for caller in model.functions():
                    self._collect(caller, 0)
        return self._found.get(function.key, [])

    def _collect(self, caller: FunctionModel, depth: int) -> None:
        if not any(self._is_of_interest(bound) for bound in caller.calls()):
            return
        for block, step, env in caller.steps():
            bound = call_of(caller, step)
            if bound is not None and self._is_of_interest(bound) and self._count < _CONTEXTS:
                for made in self._runs(caller, bound, env, block.index):
                    assert self._found is not None
                    self._found.setdefault(made.key, []).append(made)
                    self._count += 1
                    if depth < _DEPTH and made.key != caller.key:
                        self._collect(made, depth + 1)

    def _is_of_interest(self, bound: BoundCall) -> bool:
        entity = bound.callee.entity
        if bound.operations or not isinstance(entity, FunctionReference):
            return False
        if not bound.call.args and not (bound.receiver is not None and isinstance(bound.receiver.entity, Instance)):
            return False
        return self._project.summaries.communicates(entity.path, entity.qualname)

    def _runs(self, caller: FunctionModel, bound: BoundCall, env: Environment, block: int) -> Iterator[FunctionModel]:
        entity = bound.callee.entity
        assert isinstance(entity, FunctionReference)
        target = self._project.function(entity.path, entity.qualname)
        if target is None or target.ir.is_generator:
            return
        arguments = caller.evaluator.calls.bind_arguments(entity, bound, env)
        own = target.self_name
        if own is not None:
            arguments.pop(own, None)
        owner = bound.receiver.entity if bound.receiver is not None else None
        given = isinstance(owner, Instance) and self._project.objects.is_given_differing(owner)
        if not given and not any(_differs(value) for value in arguments.values()):
            return
        passed = {name: _passed(value, caller, bound.call.span, target) for name, value in arguments.items()}
        if own is not None and given and bound.receiver is not None:
            passed[own] = bound.receiver
        constants = caller.constants.passed(arguments_of(caller, bound, target))
        yield target.run_with(passed, possible_sizes(caller, block), constants)


def _differs(value: Value) -> bool:
    return not isinstance(value.entity, Communicator) and any(map(_steers, (value.content, value.structure)))


def _steers(uniformity: Uniformity) -> bool:
    return uniformity.level is Level.RANK or (uniformity.level is Level.LOCAL and uniformity.source is not None)


def _passed(value: Value, caller: FunctionModel, span: ir.Span, target: FunctionModel) -> Value:
    """A value with the call as one more reason for its difference."""
    if not _differs(value):
        return value
    message = f"passed to `{target.ir.name}`"

    def told(facet: Uniformity) -> Uniformity:
        return facet.because(caller.module, span, message) if facet.level.diverges else facet

    return replace(value, content=told(value.content), structure=told(value.structure), noneness=told(value.noneness))
