"""May- and must-communicate summaries of calls, functions and properties.

The name of each query states the kind of its answer and its subject. A may-answer is wrong only if it is true: that a
call *may* communicate means that some path through it does, or that nothing excludes it. A must-answer is wrong only if
it is false: what *must* communicate does so in every execution that returns.

May-answers, from the narrowest to the widest:

======================================  ==============================================================================
``Operation.communicates``              a fact of the library, from its kind: a collective or a message
``BoundCall.operation_may_communicate`` some operation that the call may be communicates (versions of a library differ)
``body_may_communicate``                the function itself calls an operation on a communicator of several processes
``function_may_communicate``            the function does, or one of its resolved callees
``implicit_calls``                      the calls of a function that no call syntax shows, if they may communicate
``call_may_communicate``                such an operation or function is called, or an unknown callee that receives a
                                        communicator or has the name of a communicating method of its program
======================================  ==============================================================================

``FunctionModel.any_call_may_communicate`` and ``.block_may_communicate`` apply `Summaries.call_may_communicate` to the
calls of a function and of a block. ``lazy_initialisation.later_calls_may_communicate`` excludes communication of the
first call of a function. Before a program exists, ``Prefilter.file_may_communicate`` reads the bytes of a file and
``Exports`` the names in a module.

Must-answers:

======================================  ==============================================================================
``function_must_communicate``           the only event of a function, if it is executed on every path
``must_collectives``                    the next collective on every path from a block
======================================  ==============================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Container, FunctionReference, Named, Record, Unordered
from jaxmpi_lint.analysis.model.implicit_methods import ImplicitMethods
from jaxmpi_lint.analysis.model.programs import Programs
from jaxmpi_lint.analysis.model.stored_functions import StoredFunctions, is_element, is_look_up
from jaxmpi_lint.analysis.uniformity.communicator_usage import run_function
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import POINT_TO_POINT_KINDS
from jaxmpi_lint.library.python.names import CALLBACKS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function, Key, Program
    from jaxmpi_lint.analysis.uniformity.implicit_calls import ImplicitCall, ImplicitCalls


class Summaries:
    """Answers for one project, computed over the call graph; recursive functions are solved together."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._may_communicate: dict[Key, bool] = {}
        self._searched: set[Key] = set()
        self._met_running = False
        self._names: dict[str, set[str]] | None = None
        self._must_communicate: dict[Key, Event | None] = {}
        self._constructed: list[ClassDefinition] = []  # the classes whose constructors are being examined
        self._implicit = ImplicitMethods(project)
        self._is_settled = False

    def function_must_communicate(self, key: Key) -> Event | None:
        """The only communication of a function, executed on every path; None if there are more or none.

        A path that avoids it is allowed where a uniform test (``if comm.size > 1``) decides.
        """
        if key not in self._must_communicate:
            self._must_communicate[key] = None
            function = self._project.function(*key)
            if function is not None and not self._project.is_running(function) and self._runs_at_once(function):
                self._must_communicate[key] = self._only_event(function)
        return self._must_communicate[key]

    def forget(self, key: Key) -> None:
        """Discard facts about a function whose calls have to be resolved again."""
        self._may_communicate.pop(key, None)
        self._must_communicate.pop(key, None)

    def forget_silent(self) -> None:
        """Discard the facts that functions do not communicate."""
        self._may_communicate = {key: True for key, found in self._may_communicate.items() if found}

    def _runs_at_once(self, function: Function) -> bool:
        """Whether a call runs the function's body and nothing else."""
        return not function.ir.is_generator and self._project.decorators.wrapper(function) is None

    def _only_event(self, function: Function) -> Event | None:
        events = [
            event
            for block in function.ir.blocks
            if function.flow.entries[block.index] is not None
            for event in function.block_events(block.index)
        ]
        if len(events) != 1 or events[0].opaque or events[0].communicator is None:
            return None
        point_to_point = any(
            operation.kind in POINT_TO_POINT_KINDS for bound in function.calls() for operation in bound.operations
        )
        return None if point_to_point or self._avoidable(function, events[0].block) else events[0]

    def _avoidable(self, function: Function, block: int) -> bool:
        """Whether a block is control-dependent on a test that is not uniform."""
        graph = function.graph
        tests = {branch_block.index: test for branch_block, _, test in function.branches()}
        stack, seen = [0], {0}
        while stack:
            index = stack.pop()
            if index == graph.exit:
                return True
            if index == block:
                continue
            targets = graph.successors[index]
            test = tests.get(index)
            if len(targets) > 1 and test is not None and test.content.level is Level.UNIFORM:
                targets = tuple(t for t in targets if block in graph.reachable(t)) or targets
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return False

    def implicit_calls(self, function: Function) -> ImplicitCalls | None:
        """The implicit calls of a function that may communicate; None if it has none."""
        self._settle()
        return self._implicit.of(function)

    def placed_implicit_calls(self, function: Function) -> tuple[tuple[int, ImplicitCall], ...]:
        """The same, resolved, each with its block."""
        self._settle()
        return self._implicit.calls(function)

    def _settle(self) -> None:
        """Find the methods that run implicitly and communicate: some may do so through others only.

        While a data flow is computed, its calls are missing: then the search is repeated later.
        """
        if self._is_settled or self._project.is_busy:
            return
        self._is_settled = True
        names = self._implicit.communicating()
        while names != self._implicit.names.names:
            self._implicit.take(names)
            self._must_communicate.clear()
            self.forget_silent()
            names = self._implicit.communicating()

    def call_may_communicate(self, bound: BoundCall, module: ir.Module) -> bool:
        """Whether a call in a module may pass data between processes.

        It may if it is an operation that communicates or a function of the project that may, and also if it is
        unresolved and either receives a communicator or has the name of a method that may communicate, of a class that
        may be part of the same program as the module.
        """
        if bound.operations:
            return bound.operation_may_communicate
        if isinstance(bound.callee.entity, FunctionReference):
            return self.function_may_communicate(bound.callee.entity.key)
        return self._unresolved_call_may_communicate(bound, module)

    def body_may_communicate(self, function: Function) -> bool:
        """Whether a function itself, without its callees, has an operation on more than its own process."""
        return any(
            operation.communicates and (bound.communicator is None or not bound.communicator.is_self)
            for bound in function.calls()
            for operation in bound.operations
        )

    def function_may_communicate(self, key: Key) -> bool:
        """Whether a resolved call in a function or its callees may pass data between processes.

        A generator or a nested function counts when it is called, a callback of a library when that is passed it.
        Unresolved calls do not count, except methods of a communicator that are looked up by name.
        """
        self._settle()
        if key in self._may_communicate:
            return self._may_communicate[key]
        if key in self._searched:
            return False  # recursion: the cycle's own contribution is found by its other calls
        outermost = not self._searched
        self._searched.add(key)
        found = self._search(key)
        if found:
            self._may_communicate[key] = True
        if outermost:
            if not (found or self._met_running or self._project.is_busy):  # calls that are missing may communicate
                for other in self._searched:
                    self._may_communicate.setdefault(other, False)
            self._searched.clear()
            self._met_running = False
        return found

    def _search(self, key: Key) -> bool:
        function = self._project.function(*key)
        if function is None:
            return False
        if self._project.is_running(function):
            self._met_running = True  # recomputed when its calls are known
            return False
        if function.ir.is_too_large:
            return any(self._names_communication(function, call) for call in function.ir.calls())
        if any(map(self._resolved_call_may_communicate, function.running_calls)):
            return True
        if any(self._resolved_call_may_communicate(call.bound) for _, call in self._implicit.calls(function)):
            return True
        if self._hands_on(function):
            return True
        if self._project.get(StoredFunctions).of(function.module.path) and any(
            self._is_looked_up(function, bound) for bound in function.calls()
        ):
            return True
        wrapper = self._project.decorators.wrapper(function)
        return wrapper is not None and any(map(self._resolved_call_may_communicate, wrapper.running_calls))

    def _hands_on(self, function: Function) -> bool:
        """Whether a function passes one that may communicate to a library, as what a thread or a button calls."""
        for block, bound in function.calls_by_block:
            named = [one.value for one in bound.call.args if one.keyword in CALLBACKS]
            if not named or not isinstance(bound.callee.entity, Named | None):
                continue
            env = function.flow.environment_before(block, None)
            for value in named:
                entity = function.value(value, env).entity
                if isinstance(entity, FunctionReference) and self.function_may_communicate(entity.key):
                    return True
        return False

    def _names_communication(self, function: Function, call: ir.Call) -> bool:
        """Whether a call of a function that is not analysed looks like communication."""
        if isinstance(call.func, ir.Attribute) and self._project.catalogue.unmistakable(call.func.attr):
            return True
        called = function.module_model.body.evaluator.value(call.func, {}).entity
        dotted = called.dotted if isinstance(called, Named) else ""
        if any(operation.communicates for operation in self._project.catalogue.function(dotted)):
            return True
        handed = (call.func, *(argument.value for argument in call.args))
        names = ((ir.dotted(value) or "").split(".") for value in handed)
        return any(self._project.may_be_communicator(name) for parts in names for name in parts)

    def _resolved_call_may_communicate(self, bound: BoundCall) -> bool:
        if bound.operations:
            return bound.operation_may_communicate
        called = run_function(self._project, bound)
        if called is None:
            return bound.callee.entity is None and self._is_of_communicator(bound)
        return self.function_may_communicate(called.key)

    def _unresolved_call_may_communicate(self, bound: BoundCall, module: ir.Module) -> bool:
        is_plain = isinstance(bound.callee.entity, Named) and not bound.operations
        if not is_plain and self._resolved_call_may_communicate(bound):
            return True
        if isinstance(bound.callee.entity, Named):
            return self._is_handed_communicator(bound) and not _is_harmless(bound.callee.entity.dotted)
        if isinstance(bound.callee.entity, ClassReference):
            return self._is_handed_communicator(bound) and not self._is_plain_class(bound.callee.entity)
        if bound.receiver is not None and isinstance(bound.receiver.entity, (Container, Record, Unordered)):
            return False
        if bound.callee.entity is None and isinstance(bound.call.func, ir.Attribute):
            return self.is_named_as_method(bound.call.func.attr, module) or self._is_handed_communicator(bound)
        return bound.callee.entity is None and (self._is_handed_communicator(bound) or self._is_stored(bound, module))

    def _is_plain_class(self, reference: ClassReference) -> bool:
        """Whether everything that the constructor of a class calls is known, and does not communicate."""
        model = self._project.class_model(reference)
        if model is None or model in self._constructed:
            return False
        method = model.method("__init__")
        if method is None:
            bases = (base for one in model.linearization for base in one.direct_bases)
            return all(isinstance(base, ClassReference) or base == Named("object") for base in bases)
        function = self._project.function(*method.key)
        if function is None or self._project.is_busy or function.ir.is_too_large:
            return False
        self._constructed.append(model)
        try:
            return not function.any_call_may_communicate
        finally:
            self._constructed.pop()

    def _is_of_communicator(self, bound: BoundCall) -> bool:
        """Whether the callee is a method of a communicator that ``getattr`` has looked up by its name."""
        match bound.call.func:
            case ir.Call(func=ir.Name(id="getattr"), args=(ir.Argument(value=value), *_)):
                return self._is_called_communicator(value)
        return False

    def _is_stored(self, bound: BoundCall, module: ir.Module) -> bool:
        """Whether the callee is an element of a table, and the file keeps functions that communicate in one."""
        return is_element(bound.call.func) and any(
            not self._project.is_running(function) and self.function_may_communicate(function.key)
            for function in self._project.get(StoredFunctions).of(module.path)
        )

    def _is_looked_up(self, function: Function, bound: BoundCall) -> bool:
        """Whether a function calls an element of a table with functions that communicate."""
        is_unknown = bound.callee.entity is None and not bound.operations
        return is_unknown and is_look_up(function, bound.call.func) and self._is_stored(bound, function.module)

    def _is_handed_communicator(self, bound: BoundCall) -> bool:
        return self._project.has_mpi_evidence and any(
            self._is_called_communicator(argument.value) for argument in bound.call.args
        )

    def _is_called_communicator(self, value: ir.Expression) -> bool:
        match value:
            case ir.Name(id=name) | ir.Attribute(attr=name):
                return self._project.may_be_communicator(name) and ir.dotted(value) is not None
        return False

    def is_named_as_method(self, name: str, module: ir.Module) -> bool:
        """Whether a method with this name, of the program that contains the module, has a communicating call in its
        body.
        """
        return any(self._programs.may_run_with(module.path, part) for part in self._method_names().get(name, ()))

    @property
    def _programs(self) -> Programs:
        return self._project.get(Programs)

    def _method_names(self) -> dict[str, set[str]]:
        """Names of methods whose body, considered alone, has a communicating call, and their parts of the project.

        The result is empty during its own computation.
        """
        if self._names is None:
            self._names = {}
            found: dict[str, set[str]] = {}
            for model in self._project.modules():
                for function in model.functions():
                    method = function.ir.kind == "method" and not self._project.is_running(function)
                    if method and self.function_may_communicate(function.key):
                        found.setdefault(function.ir.name, set()).add(self._programs.part(model.ir.path))
            self._names = found
        return self._names


def _is_harmless(dotted: str) -> bool:
    return dotted.partition(".")[0] in (
        "print",
        "str",
        "repr",
        "isinstance",
        "hasattr",
        "getattr",
        "logging",
        "id",
        "type",
    )
