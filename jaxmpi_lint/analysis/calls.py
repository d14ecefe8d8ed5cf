"""What calls return, and which library operation they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.array_shapes import asked_of_array
from jaxmpi_lint.analysis.concatenation import put_together
from jaxmpi_lint.analysis.constants import Given, arguments_of
from jaxmpi_lint.analysis.explicit_objects import Called, as_method, may_be_method
from jaxmpi_lint.analysis.handles import applicable, handle_communicator, made_object
from jaxmpi_lint.analysis.made_communicators import made_communicator
from jaxmpi_lint.analysis.partials import completed, given_ahead, with_arguments_ahead
from jaxmpi_lint.analysis.results import iterated, result_of_call
from jaxmpi_lint.analysis.sources import (
    DIVERGENT_CALLS,
    ENVIRONMENT_READS,
    ORDER_BLIND,
    PATH_METHODS,
    PURE_BUILTINS,
    PURE_PACKAGES,
    SHAPED_BY_ARGUMENTS,
    TEXT_FUNCTIONS,
    WEAK_CONTAINERS,
)
from jaxmpi_lint.analysis.values import (
    NOTHING,
    PROCESSES,
    UNIFORM,
    UNKNOWN,
    WORLD,
    ClassReference,
    Communicator,
    Compiled,
    FunctionReference,
    Instance,
    Level,
    Literal,
    Named,
    ResultOf,
    SizeOf,
    Source,
    Uniformity,
    Unordered,
    Value,
)
from jaxmpi_lint.library.model import Kind, Operation, Result, Tracing, Transform
from jaxmpi_lint.library.names import RANK_VARIABLES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.evaluate import Environment, Evaluator
    from jaxmpi_lint.analysis.project import Project


_WALKING = frozenset({"enumerate", "iter", "len", "list", "map", "reversed", "sorted", "tuple"})


@dataclass(slots=True, unsafe_hash=True)  # as the values are
class BoundCall:
    """A call, resolved: what is called, on what, and with which arguments.

    ``operations`` are the library entries it may be (several where versions differ), empty for other calls.
    ``communicator`` is that of the operation; None where the operation has none or it is not known.
    """

    call: ir.Call
    callee: Value
    receiver: Value | None
    operations: tuple[Operation, ...]
    communicator: Communicator | None

    @property
    def operation(self) -> Operation | None:
        """The newest admitted entry."""
        return self.operations[-1] if self.operations else None

    @property
    def dotted(self) -> str | None:
        """The canonical library name of the callee."""
        if self.operations:
            return self.operations[-1].name
        return self.callee.entity.dotted if isinstance(self.callee.entity, Named) else None

    def argument(self, parameter: str | None) -> ir.Expression | None:
        """The argument bound to a named parameter of the operation."""
        if parameter is None or self.operation is None:
            return None
        return self.call.argument(self.operation.position(parameter), parameter)


class CallEvaluation:
    """Calls of one function."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.project: Project = evaluator.project
        self.module: ir.Module = evaluator.module
        self._remembered: dict[ir.Span, Value] = {}

    def forget(self) -> None:
        """Start a block: results of calls hold within one pass over a block only."""
        self._remembered.clear()

    def remember(self, bound: BoundCall, env: Environment) -> Value:
        """Keep the result of a call for the steps that use it."""
        result = self._remembered[bound.call.span] = self._result(bound, env)
        return result

    def recall(self, span: ir.Span, result: Value) -> None:
        """Keep a result that is known from before."""
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
                operations = applicable(self._methods_of_object(receiver.entity, call.func.attr), call, receiver)
                if operations:
                    communicator = self._communicator_of(call, operations, receiver, env)
                    return BoundCall(call, NOTHING, receiver, operations, communicator)
            callee = self.evaluator.attribute(receiver, call.func, env)
        else:
            receiver = None
            callee = self.evaluator.value(call.func, env)
        if receiver is not None and may_be_method(call, receiver):
            called = as_method(self.evaluator, Called(call, callee, receiver), env)
            call, callee, receiver = called.call, called.callee, called.receiver
        call = completed(call, callee)
        operations = ()
        if isinstance(callee.entity, Named):
            operations = applicable(self.project.catalogue.function(callee.entity.dotted), call, receiver)
        elif isinstance(callee.entity, FunctionReference):
            operations = self.project.wrapper_operations(callee.entity)
        communicator = self._communicator_of(call, operations, receiver, env) if operations else None
        return BoundCall(call, callee, receiver, operations, communicator)

    def _methods_of(self, communicator: Communicator, name: str) -> tuple[Operation, ...]:
        return self.project.catalogue.communicator_method(name)

    def _methods_of_object(self, made: ResultOf, name: str) -> tuple[Operation, ...]:
        """Methods of an object that a library call made: a request, a window, a file, an instance of a class."""
        for operation in self.project.catalogue.function(made.operation)[-1:]:
            owner = _CLASS_OF_RESULT.get(operation.result)
            if owner is not None:
                return self.project.catalogue.function(f"{owner}.{name}")
        return self.project.catalogue.function(f"{made.operation}.{name}")

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
        argument = call.argument(operation.position(operation.communicator), operation.communicator)
        if argument is None or (isinstance(argument, ir.Constant) and argument.value is None):
            if operation.communicator_default == "world-clone" and not call.has_star:
                library = operation.library
                return Communicator(f"{library} default", frozenset({WORLD}), label=f"{library}'s default communicator")
            if operation.communicator_default == "world" and not call.has_star:
                return Communicator(WORLD, frozenset({WORLD}), label="MPI.COMM_WORLD")
            return None
        entity = self.evaluator.value(argument, env).entity
        return entity if isinstance(entity, Communicator) else None

    # --- results ---

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
                return self._library_result(dotted, call, env)
            case FunctionReference() as function:
                return self._function_result(function, bound, env)
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
            self.project.objects.created(made, constructor, self.bind_arguments(constructor, bound, env))
        return Value(made, UNKNOWN, UNKNOWN, UNIFORM)

    def _method_result(self, bound: BoundCall, env: Environment) -> Value:
        """Methods of values that are not objects of the project pass the divergence of the receiver on."""
        if bound.receiver is None or not isinstance(bound.call.func, ir.Attribute):
            return NOTHING
        receiver = bound.receiver
        name = bound.call.func.attr
        if isinstance(receiver.entity, ResultOf):
            if f"{receiver.entity.operation}.{name}" in DIVERGENT_CALLS:
                return self._divergent_result(f"{receiver.entity.operation}.{name}", bound.call)
            if receiver.entity.operation == "pathlib.Path" and name in PATH_METHODS:
                return receiver
            if receiver.entity.operation in WEAK_CONTAINERS and name == "get" and len(bound.call.args) < 3:
                return Value(None, UNKNOWN, UNKNOWN, self.evaluator.left_over(bound.call.span))
        if isinstance(receiver.entity, Unordered):
            arguments = self._arguments(bound.call, env)
            entity = Unordered(text=_holds_text([receiver])) if name in _SET_METHODS else None
            return replace(self.evaluator.joined([receiver, *arguments]), entity=entity)
        if name in ("keys", "items", "values", "split", "strip", "lower", "upper", "format", "copy"):
            return Value(None, receiver.content, receiver.structure)
        return NOTHING

    def _operation_result(self, bound: BoundCall, env: Environment) -> Value:
        operation, communicator, span = bound.operation, bound.communicator, bound.call.span
        assert operation is not None
        if operation.name in DIVERGENT_CALLS:
            return self._divergent_result(operation.name, bound.call)
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
                return Value(None, own, UNKNOWN, own if operation.result is Result.ROOT else UNIFORM)
            case Result.OWN:
                source = Source.SHARE if operation.kind is Kind.COLLECTIVE else None
                local = Uniformity(Level.LOCAL, groups).because(self.module, span, _OWN_DATA, source)
                return Value(None, local, UNKNOWN, local)
            case Result.REQUEST:
                return Value(ResultOf(operation.name, self.module.path, span), UNKNOWN, UNKNOWN, UNIFORM)
        return Value(made_object(bound, self.module.path))

    def _function_result(self, function: FunctionReference, bound: BoundCall, env: Environment) -> Value:
        arguments = self.bind_arguments(function, bound, env)
        target = self.project.function(function.path, function.qualname)
        caller = self.evaluator.function

        def given() -> Given:
            return caller.constants.passed(arguments_of(caller, bound, target)) if target is not None else {}

        return result_of_call(self.project, function, arguments, self.module, bound.call.span, given)

    def bind_arguments(self, function: FunctionReference, bound: BoundCall, env: Environment) -> dict[str, Value]:
        """Values of the formal parameters that this call passes."""
        model = self.project.function(function.path, function.qualname)
        if model is None:
            return {}
        parameters = list(model.ir.parameters)
        bindings: dict[str, Value] = {}
        if function.bound and parameters:
            bindings[parameters[0].name] = bound.receiver or NOTHING
            parameters = parameters[1:]
        positional = [p for p in parameters if p.kind in ("positional", "plain")]
        for index, argument in enumerate(bound.call.args):
            if argument.star:
                break
            if argument.keyword is not None:
                bindings[argument.keyword] = self.evaluator.value(argument.value, env)
            elif index < len(positional):
                bindings[positional[index].name] = self.evaluator.value(argument.value, env)
        again = {argument.keyword for argument in bound.call.args}
        return bindings | {name: value for name, value in given_ahead(function, positional) if name not in again}

    def _library_result(self, dotted: str, call: ir.Call, env: Environment) -> Value:
        transform = self.project.catalogue.transform(dotted)
        if transform is not None:
            return self._transformed(transform, call, env)
        if dotted in ENVIRONMENT_READS:
            return self._environment_read(call, self._arguments(call, env))
        if dotted in DIVERGENT_CALLS:
            return self._divergent_result(dotted, call)
        if dotted == "functools.partial" and call.args:
            return with_arguments_ahead(self._arguments(call, env), call)
        if dotted == "numpy.random.default_rng" and not call.args:
            return Value(ResultOf(dotted, self.module.path, call.span), UNKNOWN, UNKNOWN, UNIFORM)
        if dotted.startswith("numpy.random."):
            return NOTHING
        if dotted.rpartition(".")[2][:1].isupper():
            return Value(ResultOf(dotted, self.module.path, call.span), UNKNOWN, UNKNOWN, UNIFORM)
        return self._of_arguments(dotted, call, env)

    def _of_arguments(self, dotted: str, call: ir.Call, env: Environment) -> Value:
        """What a function of a library returns that is known to make something of its arguments."""
        name = dotted.removeprefix("builtins.")
        pure = name in PURE_BUILTINS or dotted.startswith(PURE_PACKAGES)
        if not pure and name not in TEXT_FUNCTIONS:
            return NOTHING
        arguments = self._arguments(call, env)
        if name in TEXT_FUNCTIONS:
            return self.evaluator.text(arguments, call.span)
        if name == "numpy.array_split":
            return Value(ResultOf(dotted, self.module.path, call.span), self.evaluator.joined(arguments).content)
        if name in _WALKING:
            arguments = [iterated(self.project, argument, self.module, call.span) for argument in arguments]
        found = self._pure_result(name, arguments, call.span)
        return put_together(self.evaluator, call, found, env) if name == "itertools.chain" else found

    def _arguments(self, call: ir.Call, env: Environment) -> list[Value]:
        return [self.evaluator.value(argument.value, env) for argument in call.args]

    def _divergent_result(self, dotted: str, call: ir.Call) -> Value:
        level, source, message = DIVERGENT_CALLS[dotted]
        if source is Source.RANDOM and self.project.seeds_random:
            return NOTHING
        own = Uniformity(level).because(self.module, call.span, message, source)
        return Value(None, own, own if source is Source.LISTING else UNKNOWN, UNIFORM)

    def _pure_result(self, name: str, arguments: list[Value], span: ir.Span) -> Value:
        joined = self.evaluator.joined(arguments)
        asked = asked_of_array(name, joined, self.module, span)
        if asked is not None:
            return asked
        if name in ("set", "frozenset"):
            return Value(Unordered(self._stable(arguments), _holds_text(arguments)), joined.content, UNKNOWN, UNIFORM)
        if name in ("range", "numpy.arange"):
            return Value(None, joined.content, self.evaluator.extent(arguments), UNIFORM)
        if name in SHAPED_BY_ARGUMENTS:
            return Value(None, joined.content, joined.content, UNIFORM)
        if name in ORDER_BLIND and joined.content.level is Level.ORDER:
            return Value(None, UNKNOWN, UNKNOWN, UNIFORM)
        if name in ("list", "tuple", "enumerate", "zip", "reversed", "iter", "map", "filter"):
            return self._reordered(arguments, joined)
        return replace(joined, noneness=UNIFORM)

    def _reordered(self, arguments: list[Value], joined: Value) -> Value:
        if any(isinstance(a.entity, Unordered) and not a.entity.stable for a in arguments):
            return Value(Unordered(text=_holds_text(arguments)), joined.content, joined.structure, UNIFORM)
        return replace(joined, noneness=UNIFORM, elements=arguments[0].elements if len(arguments) == 1 else None)

    def _stable(self, arguments: list[Value]) -> bool:
        """Whether a set holds small integers only: of a range, or of a list of integer literals."""
        if not arguments:
            return False
        elements = arguments[0].elements
        if elements is None:
            return False
        return all(isinstance(e.entity, Literal) and e.entity.kind == "int" for e in elements)

    def _environment_read(self, call: ir.Call, arguments: list[Value]) -> Value:
        name = arguments[0].entity if arguments else None
        if isinstance(name, Literal) and name.value in RANK_VARIABLES:
            return self.evaluator.world_rank(call.span, f"rank of this process, set by the launcher in {name.value}")
        return Value(None, UNKNOWN, UNKNOWN, UNKNOWN)

    def _transformed(self, transform: Transform, call: ir.Call, env: Environment) -> Value:
        compiled = NOTHING
        for name, position in transform.functions:
            argument = call.argument(position, name)
            if argument is None:
                continue
            value = self.evaluator.value(argument, env)
            for candidate in value.elements or (value,):
                function = candidate.entity.function if isinstance(candidate.entity, Compiled) else candidate.entity
                if isinstance(function, FunctionReference):
                    self.project.traced.note(function, transform, self.module, call.span)
                    if transform.tracing in (Tracing.STAGE, Tracing.TRANSFORM):
                        compiled = Value.uniform(Compiled(transform.name, function))
        return compiled


_OWN_DATA = "each process receives data of its own"

_CLASS_OF_RESULT = {
    Result.REQUEST: "mpi4py.MPI.Request",
    Result.WINDOW: "mpi4py.MPI.Win",
    Result.FILE: "mpi4py.MPI.File",
}


def _holds_text(arguments: list[Value]) -> bool:
    """Whether what the only argument holds are visibly strings."""
    if len(arguments) != 1:
        return False
    entity, elements = arguments[0].entity, arguments[0].elements
    if isinstance(entity, Unordered):
        return entity.text
    return bool(elements) and all(isinstance(e.entity, Literal) and e.entity.kind == "str" for e in elements or ())


_SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
