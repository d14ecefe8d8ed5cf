"""What callers need to know of a function, computed over the call graph."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference, Named
from jaxmpi_lint.analysis.model.classes import is_property
from jaxmpi_lint.analysis.uniformity.communicator_usage import run_function
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import POINT_TO_POINT_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class Summaries:
    """Which functions communicate, directly or through what they call; recursive functions are solved together."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._communicates: dict[tuple[str, str], bool] = {}
        self._searched: set[tuple[str, str]] = set()
        self._met_running = False
        self._names: frozenset[str] | None = None
        self._wrapped: dict[tuple[str, str], Event | None] = {}

    def wrapped(self, path: str, qualname: str) -> Event | None:
        """The one communication that a function is, whatever path is taken through it; None if it is more or less.

        A path around it is fine where a uniform test (``if comm.size > 1``) decides.
        """
        key = (path, qualname)
        if key not in self._wrapped:
            self._wrapped[key] = None
            function = self._project.function(path, qualname)
            if function is not None and not self._project.is_running(function) and self._runs_at_once(function):
                self._wrapped[key] = self._only_event(function)
        return self._wrapped[key]

    def forget(self, key: tuple[str, str]) -> None:
        """What is known of a function whose calls have to be resolved anew."""
        self._communicates.pop(key, None)
        self._wrapped.pop(key, None)

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
        """Whether a test that is not uniform decides about reaching a block."""
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

    @cached_property
    def properties(self) -> frozenset[str]:
        """Names of properties of the project's classes that communicate when they are read."""
        return frozenset(
            name
            for model in self._project.modules()
            for definition in model.ir.classes.values()
            for name, qualname in definition.methods.items()
            if is_property(model.ir.functions[qualname]) and self.communicates(model.ir.path, qualname)
        )

    def is_property(self, reference: FunctionReference) -> bool:
        """Whether a method runs when an attribute is read, and communicates then."""
        function = self._project.function(reference.path, reference.qualname)
        return function is not None and is_property(function.ir) and self.communicates(*function.key)

    def communicates(self, path: str, qualname: str) -> bool:
        """Whether a function passes data between processes (a generator or a nested function counts when called)."""
        key = (path, qualname)
        if key in self._communicates:
            return self._communicates[key]
        if key in self._searched:
            return False  # recursion: what the cycle itself adds is found by its other calls
        outermost = not self._searched
        self._searched.add(key)
        found = self._search(path, qualname)
        if found:
            self._communicates[key] = True
        if outermost:
            if not found and not self._met_running:
                for other in self._searched:
                    self._communicates.setdefault(other, False)
            self._searched.clear()
            self._met_running = False
        return found

    def _search(self, path: str, qualname: str) -> bool:
        function = self._project.function(path, qualname)
        if function is None:
            return False
        if self._project.is_running(function):
            self._met_running = True  # ask again when its calls are known
            return False
        if function.ir.is_too_large:
            return any(self._names_communication(function, call) for call in function.ir.calls())
        if any(map(self._call_communicates, function.running_calls)):
            return True
        wrapper = self._project.decorators.wrapper(function)
        return wrapper is not None and any(map(self._call_communicates, wrapper.running_calls))

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

    def _call_communicates(self, bound: BoundCall) -> bool:
        if bound.operations:
            return any(operation.communicates for operation in bound.operations)
        called = run_function(self._project, bound)
        return called is not None and self.communicates(called.path, called.qualname)

    def name_communicates(self, bound: BoundCall) -> bool:
        """Whether an unresolved call may communicate: handed a communicator, or named like a method that does."""
        is_plain = isinstance(bound.callee.entity, Named) and not bound.operations
        if not is_plain and self._call_communicates(bound):
            return True
        if isinstance(bound.callee.entity, Named):
            return self._is_handed_communicator(bound) and not _is_harmless(bound.callee.entity.dotted)
        if isinstance(bound.callee.entity, ClassReference):
            return self._is_handed_communicator(bound)
        if bound.callee.entity is None and isinstance(bound.call.func, ir.Attribute):
            return bound.call.func.attr in self._method_names() or self._is_handed_communicator(bound)
        return bound.callee.entity is None and self._is_handed_communicator(bound)

    def _is_handed_communicator(self, bound: BoundCall) -> bool:
        return self._project.has_mpi_evidence and any(
            self._is_called_communicator(argument.value) for argument in bound.call.args
        )

    def _is_called_communicator(self, value: ir.Expression) -> bool:
        match value:
            case ir.Name(id=name) | ir.Attribute(attr=name):
                return self._project.may_be_communicator(name) and ir.dotted(value) is not None
        return False

    def _method_names(self) -> frozenset[str]:
        """Names of methods of the project whose body, taken alone, has a communicating call."""
        if self._names is None:
            self._names = frozenset()
            self._names = frozenset(
                function.ir.name
                for model in self._project.modules()
                for function in model.functions()
                if function.ir.kind == "method"
                and not self._project.is_running(function)
                and self.communicates(*function.key)
            )
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
