"""One function and all derived facts about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.cfg import FlowGraph
from jaxmpi_lint.analysis.cfg.def_use import nested_functions
from jaxmpi_lint.analysis.cfg.exception_flow import caught_raises
from jaxmpi_lint.analysis.cfg.function_syntax import FunctionText
from jaxmpi_lint.analysis.conditions.configuration_choices import Outcome
from jaxmpi_lint.analysis.conditions.constant_propagation import Constants, Given
from jaxmpi_lint.analysis.conditions.world_sizes import ANY_SIZE
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.derived import Derived, derived
from jaxmpi_lint.analysis.lattice.interfaces import Event, Function
from jaxmpi_lint.analysis.lattice.lattice import NOTHING, Environment, FunctionReference, Named, Value
from jaxmpi_lint.analysis.model.classes import is_class_method, is_static
from jaxmpi_lint.analysis.model.communication_events import events_of_block
from jaxmpi_lint.analysis.model.early_flows import EarlyFlows
from jaxmpi_lint.analysis.model.parameters import Parameters
from jaxmpi_lint.analysis.uniformity.annotations import (
    annotates_communicator,
)
from jaxmpi_lint.analysis.uniformity.call_evaluator import is_construction
from jaxmpi_lint.analysis.uniformity.communicator_usage import RUNNABLE, run_function
from jaxmpi_lint.analysis.uniformity.dataflow import Dataflow
from jaxmpi_lint.analysis.uniformity.evaluator import Evaluator

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Module, Program


class FunctionModel(FunctionText, Derived):
    """A function of the project; its data flow is computed on first use.

    ``passed`` are the arguments of one call, for a model of the function specialised for that call; ``parent`` is then
    such a model of the enclosing function. ``sizes`` are the possible numbers of processes when it runs, ``given`` the
    constants among the arguments.
    """

    def __init__(
        self,
        project: Program,
        model: Module,
        function: ir.Function,
        passed: Mapping[str, Value] | None = None,
        parent: Function | None = None,
        sizes: frozenset[int] = ANY_SIZE,
        given: Given | None = None,
    ) -> None:
        self.project = project
        self.module_model = model
        self.module = model.ir
        self.key = self.module.path, function.qualname
        FunctionText.__init__(self, function)
        Derived.__init__(self)
        self._passed = passed or {}
        self._parent = parent
        self.sizes = sizes
        self.constants = Constants(self, given or {})
        self.run = project.new_run() if passed or parent is not None else ""
        self._parameters = Parameters(self)
        self._locals: frozenset[str] | None = None
        self._initial: Environment | None = None
        self._events: dict[int, list[Event]] = {}

    def run_with(
        self,
        passed: Mapping[str, Value],
        sizes: frozenset[int] = ANY_SIZE,
        given: Given | None = None,
        parent: Function | None = None,
    ) -> FunctionModel:
        """The function specialised for one call; ``parent`` is a specialisation of the enclosing function."""
        return FunctionModel(self.project, self.module_model, self.ir, passed, parent, sizes, given)

    def run_where(self, chosen: frozenset[Outcome]) -> FunctionModel:
        """The function specialised for certain settings."""
        run = FunctionModel(self.project, self.module_model, self.ir, self._passed, self._parent, self.sizes)
        run.constants = Constants(run, self.constants.given, chosen)
        return run

    @derived
    def self_name(self) -> str | None:
        """The first parameter of a method that is not static."""
        if self.ir.kind != "method" or not self.ir.parameters:
            return None
        if is_static(self.ir):
            return None
        return self.ir.parameters[0].name

    @derived
    def parent(self) -> Function | None:
        """The enclosing function whose variables are visible here (classes are skipped)."""
        if self._parent is not None:
            return self._parent
        name = self.ir.parent
        while name is not None:
            if name in self.module.classes:
                name = self.module.functions[self.module.classes[name].body].parent
                continue
            return self.module_model.function(name)
        return None

    # --- names ---

    def is_local(self, name: str) -> bool:
        """Whether the function itself binds the name."""
        if self._locals is None:
            parameters = (parameter.name for parameter in self.ir.parameters)
            self._locals = self.names_bound.union(parameters) - self.ir.globals - self.ir.nonlocals
        return name in self._locals

    @derived
    def written_inside(self) -> frozenset[str]:
        """The names that inner functions declare nonlocal or global."""
        return frozenset().union(*(inner.nonlocals for inner in nested_functions(self)))

    def free_name(self, name: str) -> Value:
        """The value of a name not bound here: of an enclosing function, the module, or a builtin."""
        scope = self.parent if self.ir.kind != "module" else None
        while scope is not None and scope.ir.kind != "module":
            if scope.is_local(name):
                return scope.final_value(name)
            scope = scope.parent
        found = self.module_model.global_value(name)
        if found is not None:
            return found
        if name in self.project.builtins:
            return Value.uniform(Named(name if name != "__import__" else "builtins.__import__"))
        if self.project.may_be_communicator(name):
            return self.project.guessed_communicator(f"{self.module.path}:{name}", name)
        return NOTHING

    def final_value(self, name: str) -> Value:
        """The final value of a local variable, for nested functions."""
        if self.project.is_running(self):
            return self.initial_environment().get(name, NOTHING)
        return self.flow.exit.get(name, NOTHING)

    def path_scope(self, root: str) -> str:
        """The scope of the object that ``root`` names: the class for ``self``, otherwise the function or the module."""
        if root == self.self_name and self.ir.owner is not None:
            return f"{self.module.path}:{self.ir.owner}"
        return f"{self.module.path}:{self.ir.qualname}" if self.is_local(root) else self.module.path

    def initial_environment(self) -> Environment:
        """The values of the parameters on entry."""
        if self._initial is None:
            self._initial = {p.name: self._parameters.value(p) for p in self.ir.parameters}
            own = self.self_name
            if own is not None and self.ir.owner is not None:
                self._initial[own] = self.project.self_value(self.module.path, self.ir.owner, is_class_method(self.ir))
            self._initial |= self._passed
        return dict(self._initial)

    def held_by(self, name: ir.Name, value: Value, made_by: ir.Expression | None) -> Value:
        """The value of a name that is assigned to; if the assigned value is unknown, the name itself is evidence.

        An object of an unknown class may be anything with the interface of a communicator, in tests for one process as
        well.
        """
        known = value.entity is not None or value.content.level.diverges
        if known or not self.project.may_be_communicator(name.id) or is_construction(made_by):
            return value
        return self.project.guessed_communicator(f"{self.module.path}:{name.id}@{name.span[0]}", name.id)

    def annotated(self, value: Value, annotation: ir.Expression) -> Value:
        """A value; a communicator if its annotation declares it to be one."""
        if value.entity is None and annotates_communicator(self, annotation):
            return self.project.guessed_communicator(f"{self.module.path}@{annotation.span[0]}", "the communicator")
        return value

    # --- data flow ---

    @derived
    def evaluator(self) -> Evaluator:
        """Evaluates expressions of this function."""
        return Evaluator(self)

    @derived
    def flow(self) -> Dataflow:
        """The fixpoint.

        The bodies of modules come first, its own before those it imports: they may run methods of a class whose
        constructor would otherwise still be in progress.
        """
        body = self.module_model.body
        if body is not self and not self.project.is_running(body):
            _ = body.flow
        self.project.run_modules()
        if self.is_computed:
            return self.flow
        early = self.project.get(EarlyFlows)
        mark = early.mark()
        with self.project.running(self):
            flow = Dataflow(self, self.evaluator)
        for inner in self.inner_functions():
            inner.forget()
        early.complete(self, flow, mark)
        return flow

    def inner_functions(self) -> Iterator[Function]:
        """The functions that can access the variables of this one."""
        if self.ir.kind != "module":
            for qualname in self.module_model.inner.get(self.ir.qualname, ()):
                inner = self.module_model.function(qualname)
                yield inner
                yield from inner.inner_functions()

    def forget(self) -> None:
        """Discard facts that depend on variables of an enclosing function whose own data flow was incomplete."""
        super().forget()
        self._initial = None
        self._events.clear()
        self.project.summaries.forget(self.key)

    @property
    def is_computed(self) -> bool:
        """Whether the data flow is already computed."""
        return "flow" in self.__dict__

    @derived
    def graph(self) -> FlowGraph:
        """The control-flow graph; blocks that abort, or raise an uncaught exception, are dead ends, those that exit
        leave.
        """
        return FlowGraph(self.ir.blocks, self.ending_all, self.leaving, caught_raises(self.ir))

    def calls(self) -> Collection[BoundCall]:
        """Every reachable call, resolved, in block order."""
        return self.flow.calls.values()

    def block_events(self, block: int) -> list[Event]:
        """The communication of a block, and the calls in it that may communicate."""
        if self.project.is_busy:
            return events_of_block(self, block)  # some calls may not be resolved yet
        if block not in self._events:
            self._events[block] = events_of_block(self, block)
        return self._events[block]

    def loops_around(self, span: ir.Span) -> list[tuple[ir.Block, ir.Branch]]:
        """The ``for`` and ``while`` loops around a position, header included, from the innermost outwards."""
        found = [
            (block, branch)
            for block, branch, _ in self.branches()
            if branch.kind in ("for", "while") and branch.extent[0] <= span[0] < branch.extent[1]
        ]
        return sorted(found, key=lambda loop: loop[1].extent[1] - loop[1].extent[0])

    def is_conditional(self, span: ir.Span) -> bool:
        """Whether a position lies in a statement or expression that chooses between alternatives."""
        return any(
            block.terminator.extent[0] <= span[0] < block.terminator.extent[1]
            for block in self.ir.blocks
            if isinstance(block.terminator, ir.Branch) and block.terminator.kind not in ("for", "while", "assert")
        )

    @derived
    def calls_by_block(self) -> tuple[tuple[int, BoundCall], ...]:
        """Every reachable call, resolved, with its block; each copy of a call in a ``finally`` has its own."""
        known = self.flow.calls
        return tuple(
            (block, bound) for block, _, call in self.ir.placed_calls() if (bound := known.get(call.span)) is not None
        )

    @derived
    def calls_of_functions(self) -> tuple[tuple[int, BoundCall, FunctionReference], ...]:
        """The calls that run a function of the project, with their blocks and that function."""
        if RUNNABLE.isdisjoint(self.calls_by_callee):
            return ()
        return tuple(
            (block, bound, called)
            for block, bound in self.calls_by_block
            if type(bound.callee.entity) in RUNNABLE and (called := run_function(self.project, bound)) is not None
        )

    @derived
    def calls_by_callee(self) -> Mapping[type, list[BoundCall]]:
        """Every reachable call, resolved, by the class of what is called."""
        found: dict[type, list[BoundCall]] = defaultdict(list)
        for bound in self.calls():
            found[type(bound.callee.entity)].append(bound)
        return found

    @derived
    def library_names(self) -> frozenset[str | None]:
        """The names of called library functions."""
        return frozenset(bound.dotted for bound in self.calls())

    @derived
    def operation_calls(self) -> tuple[BoundCall, ...]:
        """The reachable calls that are operations of a communication library."""
        return tuple(bound for bound in self.calls() if bound.operations)

    @derived
    def running_calls(self) -> tuple[BoundCall, ...]:
        """The reachable calls that are such operations, may be one that is looked up by name, or may run a function."""
        return tuple(
            b
            for b in self.calls()
            if b.operations or type(b.callee.entity) in RUNNABLE or isinstance(b.call.func, ir.Call)
        )

    @derived
    def any_call_may_communicate(self) -> bool:
        """Whether a call of the function may communicate; valid once the program is known."""
        may_communicate = self.project.summaries.call_may_communicate
        return any(may_communicate(bound, self.module) for bound in self.calls())

    def bound(self, call: ir.Call) -> BoundCall | None:
        """A call of this function, resolved; None if it is not reachable."""
        return self.flow.calls.get(call.span)

    def steps(
        self, wanted: Callable[[ir.Step], object] = lambda step: True
    ) -> Iterator[tuple[ir.Block, ir.Step, Environment]]:
        """Every reachable step that is wanted, with the environment before it.

        The environment is only valid until the next step.
        """
        for block in self.ir.blocks:
            if self.flow.entries[block.index] is None:
                continue
            chosen = {index for index, step in enumerate(block.steps) if wanted(step)}
            if not chosen:
                continue
            env = dict(self.flow.entries[block.index] or {})
            self.evaluator.calls.forget()
            for index, step in enumerate(block.steps[: max(chosen) + 1]):
                if index in chosen:
                    yield block, step, env
                self.flow.step(step, env)

    def branches(self) -> Sequence[tuple[ir.Block, ir.Branch, Value]]:
        """Every reachable branch and the value of its test."""
        return self._branches

    @derived
    def _branches(self) -> tuple[tuple[ir.Block, ir.Branch, Value], ...]:
        tests = ((self.ir.blocks[index], test) for index, test in sorted(self.flow.tests.items()))
        return tuple(
            (block, block.terminator, test) for block, test in tests if isinstance(block.terminator, ir.Branch)
        )

    def value(self, expression: ir.Expression, env: Environment) -> Value:
        """The abstract value of an expression in an environment."""
        return self.evaluator.value(expression, env)

    def block_may_communicate(self, block: int) -> bool:
        """Whether a call of a block may communicate; also usable while the data flow is computed."""
        for step in self.ir.blocks[block].steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = self.flow_calls().get(step.expression.span)
                if bound is None:
                    entry = self.flow.entries[block] if self.is_computed else None
                    bound = self.evaluator.calls.bind(step.expression, dict(entry or {}))
                if self.project.summaries.call_may_communicate(bound, self.module):
                    return True
        return False

    def flow_calls(self) -> dict[ir.Span, BoundCall]:
        """Resolved calls; empty while the data flow is being computed."""
        return self.flow.calls if self.is_computed else {}
