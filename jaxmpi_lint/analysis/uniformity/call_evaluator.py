"""Results of calls, and the library operations they resolve to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import Given, arguments_of
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.communicator_substitution import Groups
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    PROCESSES,
    UNIFORM,
    UNKNOWN,
    WORLD,
    ClassReference,
    Communicator,
    Compiled,
    Container,
    FunctionReference,
    Instance,
    Named,
    Record,
    ResultOf,
    SizeOf,
    Uniformity,
    Unordered,
    Value,
)
from jaxmpi_lint.analysis.lattice.partial_application import completed
from jaxmpi_lint.analysis.lattice.value_queries import holds_text, names_class
from jaxmpi_lint.analysis.uniformity.communicator_constructors import made_communicator
from jaxmpi_lint.analysis.uniformity.communicator_handles import (
    applicable,
    given_communicator,
    handle_communicator,
    made_object,
    part_of_object,
    settled,
)
from jaxmpi_lint.analysis.uniformity.container_values import method_result
from jaxmpi_lint.analysis.uniformity.equal_parts import has_equal_parts
from jaxmpi_lint.analysis.uniformity.library_call_results import LibraryResults
from jaxmpi_lint.analysis.uniformity.parallel_use import ParallelUse
from jaxmpi_lint.analysis.uniformity.passed_arguments import bound_arguments, groups_of_call, with_defaults
from jaxmpi_lint.analysis.uniformity.unbound_methods import Called, as_method, may_be_method
from jaxmpi_lint.analysis.uniformity.user_call_results import Passed, result_of_call
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.model import Kind, Operation, Result
from jaxmpi_lint.library.python.divergence_sources import (
    DIVERGENT_CALLS,
    PATH_METHODS,
    SHOWN_AS_TEXT,
    WEAK_CONTAINERS,
)
from jaxmpi_lint.library.python.files import PATH

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment


class CallEvaluation:
    """Calls of one function."""

    def __init__(self, evaluator: ExpressionEvaluator) -> None:
        self.evaluator = evaluator
        self.project: Program = evaluator.project
        self.module: ir.Module = evaluator.module
        self.library = LibraryResults(evaluator)
        self._remembered: dict[ir.Span, Value] = {}

    def forget(self) -> None:
        """Start a block: results of calls are valid within one visit of a block only."""
        self._remembered.clear()

    def remember(self, bound: BoundCall, env: Environment) -> Value:
        """Keep the result of a call for the steps that use it."""
        result = self._remembered[bound.call.span] = self._result(bound, env)
        return result

    def recall(self, span: ir.Span, result: Value) -> None:
        """Keep a result that is already known."""
        self._remembered[span] = result

    def bind(self, call: ir.Call, env: Environment) -> BoundCall:
        """Resolve a call."""
        receiver: Value | None
        operations: tuple[Operation, ...]
        if isinstance(call.func, ir.Attribute):
            receiver = self.evaluator.value(call.func.value, env)
            if isinstance(receiver.entity, Communicator):
                methods = self._methods_of(receiver.entity, call.func.attr)
                return BoundCall(call, NOTHING, receiver, methods, self._communicator_of(call, methods, receiver, env))
            if isinstance(receiver.entity, ResultOf):
                methods = self._counting(self._methods_of_object(receiver.entity, call.func.attr))
                operations = applicable(methods, call, receiver)
                if operations:
                    communicator = self._communicator_of(call, operations, receiver, env)
                    return BoundCall(call, NOTHING, receiver, operations, communicator)
            callee = self.evaluator.attribute(receiver, call.func, env)
        else:
            receiver = None
            callee = self.evaluator.value(call.func, env)
            if isinstance(callee.entity, FunctionReference) and callee.entity.owner is not None:
                receiver = Value(callee.entity.owner, UNKNOWN, UNKNOWN, UNIFORM)
        if receiver is not None and may_be_method(call, receiver):
            called = as_method(self.evaluator, Called(call, callee, receiver), env)
            call, callee, receiver = called.call, called.callee, called.receiver
        operations = ()
        if isinstance(callee.entity, Named):
            functions = self._counting(self.project.catalogue.function(callee.entity.dotted))
            operations = applicable(functions, call, receiver)
        elif isinstance(callee.entity, FunctionReference):
            call = completed(call, callee.entity)
            operations = self.project.wrapper_operations(callee.entity)
        communicator = self._communicator_of(call, operations, receiver, env) if operations else None
        return BoundCall(call, callee, receiver, settled(operations, communicator), communicator)

    def _counting(self, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        """The operations of a call, without those of a library that a program for one process uses."""
        if not operations or operations[-1].shows_several_processes:
            return operations
        return operations if self.project.get(ParallelUse).covers(self.module.path) else ()

    def _methods_of(self, communicator: Communicator, name: str) -> tuple[Operation, ...]:
        return self.project.catalogue.communicator_method(name)

    def _methods_of_object(self, made: ResultOf, name: str) -> tuple[Operation, ...]:
        """Methods of an object created by a library call: a request, a window, a file, an instance of a class."""
        for operation in self.project.catalogue.function(made.operation)[-1:]:
            owner = _CLASS_OF_RESULT.get(operation.result)
            if owner is not None:
                return self.project.catalogue.function(f"{owner}.{name}")
        return self.project.catalogue.function(f"{made.operation}.{name}")

    def part_of(self, whole: ResultOf, name: str) -> Value | None:
        """A property of an object that a library call has created, if the tables know it."""
        for operation in self._methods_of_object(whole, name)[-1:]:
            return part_of_object(operation, whole)
        return None

    def _communicator_of(
        self, call: ir.Call, operations: tuple[Operation, ...], receiver: Value | None, env: Environment
    ) -> Communicator | None:
        if not operations:
            return None
        operation = operations[-1]
        if operation.communicator == "self":
            entity = receiver.entity if receiver is not None else None
            return entity if isinstance(entity, Communicator) else None
        if operation.communicator == "handle":
            return handle_communicator(receiver) if receiver is not None else None
        if operation.communicator == "processes":
            connected = self.evaluator.function.module_model.connects_processes
            ancestors = frozenset({WORLD}) if connected else frozenset[str]()
            return Communicator(PROCESSES, frozenset({PROCESSES}), ancestors, "all JAX processes")
        if operation.communicator is None:
            return None
        if operation.communicator == "world":
            return _WORLD
        argument = call.argument(operation.position(operation.communicator), operation.communicator)
        if argument is None or ir.is_none(argument):
            if operation.communicator_default == "world-clone" and not call.has_star:
                library = operation.library
                return Communicator(f"{library} default", frozenset({WORLD}), label=f"{library}'s default communicator")
            if operation.communicator_default == "world" and not call.has_star:
                return _WORLD
            return None
        return given_communicator(self.evaluator.value(argument, env))

    # --- results ---

    def result(self, bound: BoundCall, env: Environment) -> Value:
        """What a call that is not written in the text returns."""
        return self._result(bound, env)

    def value(self, call: ir.Call, env: Environment) -> Value:
        """What a call returns."""
        known = self._remembered.get(call.span)
        return known if known is not None else self._result(self.bind(call, env), env)

    def _result(self, bound: BoundCall, env: Environment) -> Value:
        call = bound.call
        if bound.operations:
            return self._operation_result(bound, env)
        match bound.callee.entity:
            case Named(dotted):
                return self.library.result(dotted, call, env)
            case FunctionReference() as function:
                return self._function_result(function, bound, env)
            case Compiled(transform="jax.jit", function=function):
                return self._compiled_result(function, bound, env)
            case ClassReference(path, qualname):
                if self.project.is_communicator_class(bound.callee.entity):
                    return self.project.guessed_communicator(f"{path}:{qualname}@{call.span[0]}", qualname)
                key = f"{self.module.path}@{call.span[0]}{self.evaluator.function.run}"
                return self._made_object(Instance(path, qualname, key), bound, env)
        return self._method_result(bound, env)

    def _made_object(self, made: Instance, bound: BoundCall, env: Environment) -> Value:
        model = self.project.class_model(made)
        constructor = model.method("__init__") if model is not None else None
        if constructor is not None:
            arguments, groups = self._passed(constructor, bound, env)
            self.project.objects.created(made, groups, arguments)
        return Value(made, UNKNOWN, UNKNOWN, UNIFORM)

    def _method_result(self, bound: BoundCall, env: Environment) -> Value:
        """The result of a method: as divergent as the receiver, unless that is an object of the project."""
        if bound.receiver is None or not isinstance(bound.call.func, ir.Attribute):
            return NOTHING
        receiver = bound.receiver
        name = bound.call.func.attr
        if isinstance(receiver.entity, ResultOf):
            if f"{receiver.entity.operation}.{name}" in DIVERGENT_CALLS:
                return self.library.differing(f"{receiver.entity.operation}.{name}", bound.call, receiver.content)
            if receiver.entity.operation == PATH and name in PATH_METHODS:
                return receiver
            if receiver.entity.operation in WEAK_CONTAINERS and name == "get" and len(bound.call.args) < 3:
                return Value(None, UNKNOWN, UNKNOWN, self.evaluator.left_over(bound.call.span))
        if isinstance(receiver.entity, (Container, Record)):
            found = method_result(self.evaluator, receiver, bound.call, name, env)
            if found is not None:
                return found
        if isinstance(receiver.entity, Unordered):
            arguments = [self.evaluator.value(argument.value, env) for argument in bound.call.args]
            entity = Unordered(text=holds_text([receiver])) if name in _SET_METHODS else None
            return replace(self.evaluator.joined([receiver, *arguments]), entity=entity)
        if name in SHOWN_AS_TEXT and receiver.content.source in (Source.CLOCK, Source.MACHINE):
            return receiver
        if name in ("keys", "items", "values", "split", "strip", "lower", "upper", "copy"):
            return Value(None, receiver.content, receiver.structure)
        if name == "format":
            parts = [receiver, *(self.evaluator.value(argument.value, env) for argument in bound.call.args)]
            return Value(None, self.evaluator.joined(parts).content)
        return NOTHING

    def _operation_result(self, bound: BoundCall, env: Environment) -> Value:
        operation, communicator, span = bound.known_operation, bound.communicator, bound.call.span
        if operation.name in DIVERGENT_CALLS:
            return self.library.differing(operation.name, bound.call)
        groups = communicator.rank_groups() if communicator is not None else frozenset({WORLD})
        match operation.result:
            case Result.RANK:
                if communicator is None:
                    return NOTHING
                return self.evaluator.rank_of(communicator, span)
            case Result.SIZE:
                return Value.uniform(SizeOf(communicator) if communicator is not None else None)
            case Result.SAME:
                return Value(ResultOf(operation.name, self.module.path, span), UNIFORM, UNIFORM, UNIFORM)
            case Result.COMMUNICATOR:
                return made_communicator(self.evaluator, bound, env)
            case Result.ROOT | Result.ROOT_ELSE_INPUT:
                own = Uniformity(Level.RANK, groups).because(
                    self.module, span, f"result of {operation.method}: complete on the root only"
                )
                if operation.result is not Result.ROOT:
                    return Value(None, own, UNKNOWN, UNIFORM)
                return Value(None, own, UNKNOWN, UNKNOWN if self._names_several_roots(bound, env) else own)
            case Result.OWN:
                if operation.root is not None and has_equal_parts(self.evaluator.function, bound.argument("sendobj")):
                    return Value(ResultOf(operation.name, self.module.path, span), UNIFORM, UNIFORM, UNIFORM)
                source = Source.SHARE if operation.kind is Kind.COLLECTIVE else None
                local = Uniformity(Level.LOCAL, groups).because(self.module, span, _OWN_DATA, source)
                return Value(None, local, UNKNOWN, local)
            case Result.PART:
                part = Uniformity(Level.LOCAL, groups).because(self.module, span, _OWN_PART, Source.SHARE)
                return Value(None, part, UNKNOWN, UNIFORM)
            case Result.REQUEST:
                return Value(ResultOf(operation.name, self.module.path, span), UNKNOWN, UNKNOWN, UNIFORM)
        return Value(made_object(bound, self.module.path))

    def _names_several_roots(self, bound: BoundCall, env: Environment) -> bool:
        """Whether ranks pass different roots: the call is wrong, and says nothing about who has the result."""
        operation = bound.known_operation
        root = bound.argument(operation.root) if operation.root is not None else None
        return root is not None and self.evaluator.value(root, env).content.level is Level.RANK

    def _function_result(self, function: FunctionReference, bound: BoundCall, env: Environment) -> Value:
        arguments, groups = self._passed(function, bound, env)
        target = self.project.function(function.path, function.qualname)
        caller = self.evaluator.function

        def given() -> Given:
            return caller.constants.passed(arguments_of(caller, bound, target)) if target is not None else {}

        return result_of_call(self.project, function, Passed(arguments, groups, self.module, bound.call.span, given))

    def _compiled_result(self, function: FunctionReference, bound: BoundCall, env: Environment) -> Value:
        """What a compiled function returns for data of one process; for global arrays that is not known."""
        given = self.bind_arguments(function, bound, env)
        if not any(value.content.level.diverges for value in given.values()):
            return NOTHING
        content = self._function_result(function, bound, env).content
        return Value(None, content if content.level.diverges else UNKNOWN)

    def _passed(
        self, function: FunctionReference, bound: BoundCall, env: Environment
    ) -> tuple[dict[str, Value], Groups]:
        """The arguments and defaults of a call, and the communicators that it passes."""
        arguments = self.bind_arguments(function, bound, env)
        target = self.project.function(function.path, function.qualname)
        if target is not None:
            arguments = with_defaults(target, arguments, bound)
        return arguments, groups_of_call(self.evaluator, function, bound, arguments)

    def bind_arguments(self, function: FunctionReference, bound: BoundCall, env: Environment) -> dict[str, Value]:
        """Values of the formal parameters that this call passes."""
        return bound_arguments(self.evaluator, function, bound, env)


_WORLD = Communicator(WORLD, frozenset({WORLD}), label="MPI.COMM_WORLD")
_OWN_DATA = "each process receives different data"
_OWN_PART = "each process computes its own part"

_CLASS_OF_RESULT = {
    Result.REQUEST: "mpi4py.MPI.Request",
    Result.WINDOW: "mpi4py.MPI.Win",
    Result.FILE: "mpi4py.MPI.File",
}


_SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})


def is_construction(expression: ir.Expression | None) -> bool:
    """Whether an expression creates an object of a class, judging by its name."""
    name = ir.dotted(expression.func) if isinstance(expression, ir.Call) else None
    return name is not None and names_class(name)
