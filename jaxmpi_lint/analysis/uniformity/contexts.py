"""Functions specialised for calls with arguments that differ between the processes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet
from jaxmpi_lint.analysis.cfg.call_steps import steps_with
from jaxmpi_lint.analysis.conditions.constant_propagation import Given, arguments_of
from jaxmpi_lint.analysis.conditions.world_sizes import possible_sizes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Function
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, Instance, Literal, Uniformity, Value
from jaxmpi_lint.analysis.lattice.limits import (
    CONTEXT_CALLS,
    CONTEXTS,
    CONTEXTS_BY_CONSTANTS,
    CONTEXTS_FOR_RESULTS,
    CONTEXTS_OF_FUNCTION,
    RESULT_BLOCKS,
)
from jaxmpi_lint.analysis.uniformity.overridden_methods import OverriddenMethods
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment


class Contexts:
    """The runs of functions that a project's calls make and whose arguments differ between processes."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._found: dict[tuple[str, str], list[Function]] = {}
        self._is_complete = False
        self._keys: set[Hashable] = set()
        self._results: dict[Hashable, Function] = {}
        self._single: dict[Hashable, Function | None] = {}
        self._constant: dict[tuple[tuple[str, str], frozenset[tuple[str, Literal]]], Function] = {}

    def with_constants(self, function: Function, given: Given) -> Function:
        """The function as calls run it that pass certain constants, of which it branches on some."""
        wanted = {name: constant for name, constant in given.items() if name in function.tested_names}
        if not wanted or len(self._constant) >= CONTEXTS_BY_CONSTANTS:
            return function
        key = function.key, frozenset(wanted.items())
        if key not in self._constant:
            passed = {name: Value.uniform(constant) for name, constant in wanted.items()}
            self._constant[key] = function.run_with(passed, given=wanted)
        return self._constant[key]

    def with_arguments(
        self, function: Function, arguments: Mapping[str, Value], given: Callable[[], Given] = dict
    ) -> Function:
        """The function as calls run it whose arguments differ between processes, to determine its result.

        ``given`` are the constants among the arguments, of which it may branch on some.
        """
        if not any(_differs(value) for value in arguments.values()) or len(function.ir.blocks) > RESULT_BLOCKS:
            return function
        tested = {name: constant for name, constant in given().items() if name in function.tested_names}
        key = function.key, frozenset(arguments.items()), frozenset(tested.items())
        if key not in self._results and len(self._results) < CONTEXTS_FOR_RESULTS:
            own = function.self_name
            passed = {name: value for name, value in arguments.items() if name != own or _is_known_object(value)}
            self._results[key] = function.run_with(passed, given=tested or None)
        return self._results.get(key, function)

    def of(self, function: Function) -> list[Function]:
        """The function once more for each call that passes such arguments."""
        if not self._is_complete:
            self._is_complete = True
            for model in self._project.modules():
                for caller in model.functions():
                    self._collect(caller, 0)
        return self._found.get(function.key, []) + self._overridden.runs(function)

    @property
    def _overridden(self) -> OverriddenMethods:
        return self._project.get(OverriddenMethods)

    def _collect(self, caller: Function, depth: int) -> None:
        calls = caller.calls_by_callee.get(FunctionReference, ())
        for block, bound, env in steps_with(caller, filter(self._is_of_interest, calls)):
            for made in self._runs(caller, bound, env, block.index):
                if depth < CONTEXT_CALLS and made.key != caller.key:
                    self._collect(made, depth + 1)

    def _is_of_interest(self, bound: BoundCall) -> bool:
        entity = bound.callee.entity
        if bound.operations or not isinstance(entity, FunctionReference):
            return False
        on_object = bound.receiver is not None and isinstance(bound.receiver.entity, Instance)
        if not (bound.call.args or entity.ahead or on_object):
            return False
        return self._project.summaries.function_may_communicate(entity.key) or self._calls_a_parameter(entity)

    def _calls_a_parameter(self, reference: FunctionReference) -> bool:
        target = self._project.function(*reference.key)
        return target is not None and bool(called_parameters(target.ir))

    def at_call(self, caller: Function, bound: BoundCall, block: int) -> Function | None:
        """The function once more for one call; None if no argument differs, or there is no room for it."""
        if bound.operations or not isinstance(bound.callee.entity, FunctionReference):
            return None
        steps = caller.ir.blocks[block].steps
        call = next((step for step in steps if isinstance(step, ir.Evaluate) and step.expression is bound.call), None)
        activation = self._activation(caller, bound, caller.flow.environment_before(block, call), block)
        if activation is None:
            return None
        if activation.key not in self._single:
            made = activation.run() if len(self._single) < CONTEXTS else None
            self._single[activation.key] = made
        return self._single[activation.key]

    def _runs(self, caller: Function, bound: BoundCall, env: Environment, block: int) -> Iterator[Function]:
        activation = self._activation(caller, bound, env, block)
        if activation is not None and self._is_new(activation.target, activation.key):
            made = activation.run()
            self._found.setdefault(activation.target.key, []).append(made)
            yield made

    def _activation(self, caller: Function, bound: BoundCall, env: Environment, block: int) -> _Activation | None:
        """The activation of a function by one call, if an argument differs."""
        entity = bound.callee.entity
        assert isinstance(entity, FunctionReference)
        target = self._project.function(entity.path, entity.qualname)
        if target is None or target.ir.is_generator:
            return None
        arguments = caller.evaluator.calls.bind_arguments(entity, bound, env)
        own = target.self_name
        if own is not None:
            arguments.pop(own, None)
        owner = bound.receiver.entity if bound.receiver is not None else None
        given = isinstance(owner, Instance) and (
            self._project.objects.is_given_differing(owner)
            or _parts(target, owner)
            or self._overridden.changes(target, owner)
        )
        called = called_parameters(target.ir)
        of_interest = any(
            _differs(value) or (name in called and self._runs_code(value)) for name, value in arguments.items()
        )
        if not given and not of_interest:
            return None
        passed = {name: _passed(value, caller, bound.call.span, target) for name, value in arguments.items()}
        if own is not None and bound.receiver is not None and _is_known_object(bound.receiver):
            passed[own] = bound.receiver
        constants = caller.constants.passed(arguments_of(caller, bound, target))
        return _Activation(target, passed, possible_sizes(caller, block), constants)

    def _runs_code(self, value: Value) -> bool:
        """Whether a value is a function that may communicate when it is called."""
        entity = value.entity
        return isinstance(entity, FunctionReference) and self._project.summaries.function_may_communicate(entity.key)

    def _is_new(self, target: Function, key: Hashable) -> bool:
        """Whether no run was like this one, and there is room for it."""
        full = len(self._keys) >= CONTEXTS or len(self._found.get(target.key, ())) >= CONTEXTS_OF_FUNCTION
        if full or key in self._keys:
            return False
        self._keys.add(key)
        return True


@dataclass(frozen=True)
class _Activation:
    """One call of a function: its arguments, the numbers of processes, the constants among the arguments."""

    target: Function
    passed: Mapping[str, Value]
    sizes: frozenset[int]
    constants: Given

    def run(self) -> Function:
        """The function, specialised."""
        return self.target.run_with(self.passed, self.sizes, self.constants)

    @cached_property
    def key(self) -> Hashable:
        """What distinguishes activations."""
        return _key(self.target, self.sizes, self.constants, self.passed)


def _key(target: Function, sizes: frozenset[int], constants: Given, passed: Mapping[str, Value]) -> Hashable:
    """The key of a run of a function: its arguments without their origins, and the constants that it tests."""
    tested = frozenset((name, constant) for name, constant in constants.items() if name in target.tested_names)
    values = frozenset(
        (name, replace(value, entity=None) if isinstance(value.entity, Literal) else value, *_sources(value))
        for name, value in passed.items()
    )
    return target.key, sizes, tested, values


def called_parameters(function: ir.Function) -> frozenset[str]:
    """The parameters of a function that it calls."""
    names = {parameter.name for parameter in function.parameters}
    called = {call.func.id for call in function.calls() if isinstance(call.func, ir.Name)}
    return frozenset(names & called)


def _sources(value: Value) -> tuple[Source | None, Source | None]:
    return value.content.source, value.structure.source


def _is_known_object(value: Value) -> bool:
    return isinstance(value.entity, Instance) and value.entity.key != "self"


def _parts(function: Function, owner: Instance) -> bool:
    """Whether a test in a method differs, so that it matters which communicators are those of a visible object."""
    return owner.key != "self" and any(
        deciding_facet(branch, test).level.diverges for _, branch, test in function.branches()
    )


def _differs(value: Value) -> bool:
    return not isinstance(value.entity, Communicator) and any(map(_steers, (value.content, value.structure)))


def _steers(uniformity: Uniformity) -> bool:
    return uniformity.level is Level.RANK or (uniformity.level is Level.LOCAL and uniformity.source is not None)


def _passed(value: Value, caller: Function, span: ir.Span, target: Function) -> Value:
    """A value with the call as one more reason for its difference."""
    if not _differs(value):
        return value
    message = f"passed to `{target.ir.name}`"

    def told(facet: Uniformity) -> Uniformity:
        return facet.because(caller.module, span, message) if facet.level.diverges else facet

    return replace(value, content=told(value.content), structure=told(value.structure), noneness=told(value.noneness))
