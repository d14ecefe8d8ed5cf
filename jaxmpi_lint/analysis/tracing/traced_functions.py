"""Traced functions and the reasons: decorators and transforms that receive the function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import Constants, arguments_of
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Compiled, FunctionReference, Literal, Named, Value
from jaxmpi_lint.analysis.tracing.transform_semantics import tier, traced_blocks, traced_calls
from jaxmpi_lint.library.model import Tracing, Transform
from jaxmpi_lint.library.python.names import PARTIAL

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_COMMUNICATOR = Literal("communicator", "Communicator")
"""Stands for any communicator: it is not None."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a function is traced; ``caller`` is set for a function that a traced one calls."""

    transform: Transform
    module: ir.Module
    span: ir.Span
    caller: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call that a traced function makes."""

    trace: Trace
    caller: Function
    bound: BoundCall

    def constants(self, target: Function) -> Constants:
        """The constants of the specialisation of a function that it calls."""
        arguments = arguments_of(self.caller, self.bound, target)
        given = {name: _COMMUNICATOR for name, argument in arguments.items() if self._is_communicator(argument)}
        return Constants(target, {**given, **self.caller.constants.passed(arguments)})

    def _is_communicator(self, argument: ir.Expression) -> bool:
        """Whether an argument is provably a communicator of MPI; a parameter may be None."""
        entity = self.caller.value(argument, self.caller.flow.exit).entity
        return isinstance(entity, Communicator) and entity.context.startswith("mpi4py.")


class TracedCode:
    """The traced functions of a project, callees included; callbacks that leave the trace are excluded."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._seeds: dict[tuple[str, str], Trace] = {}
        self._applied: dict[tuple[str, ir.Span], list[tuple[str, str]]] = {}
        self._calls: dict[tuple[str, str], list[TracedCall]] = {}
        self._all: dict[tuple[str, str], Trace] | None = None

    def note(self, function: FunctionReference, transform: Transform, module: ir.Module, span: ir.Span) -> None:
        """Record a transform applied to a function; of several, the one that most certainly traces counts."""
        key = (function.path, function.qualname)
        if transform.tracing is Tracing.ESCAPE:
            return
        applied = self._applied.setdefault((module.path, span), [])
        if key not in applied:
            applied.append(key)
        known = self._seeds.get(key)
        if known is None or tier(transform) < tier(known.transform):
            self._seeds[key] = Trace(transform, module, span)

    def trace_of(self, function: Function) -> Trace | None:
        """Why a function is traced, None if it runs as plain Python."""
        return self.functions().get(function.key)

    def functions(self) -> dict[tuple[str, str], Trace]:
        """Every traced function of the project."""
        if self._all is None:
            for model in self._project.modules():
                for function in model.functions():
                    function.flow  # noqa: B018 - resolving the calls notes the transforms
            self._all = self._with_callees()
            self._all = self._without_excluded(self._all)
        return self._all

    def reached(self, function: Function) -> dict[int, Trace | None]:
        """The blocks that run while tracing, and a call that leads to each; blocks that its constants exclude are
        omitted.

        Blocks that only calls with unknown arguments may reach are omitted where the constants of other calls exclude
        them.
        """
        trace = self.trace_of(function)
        calls = self._calls.get(function.key, []) if trace is not None and trace.caller is not None else []
        if not calls:
            return dict.fromkeys(traced_blocks(function.ir), trace)
        runs = [(call.trace, call.constants(function)) for call in calls]
        deciding = {
            block.index
            for block in function.ir.blocks
            if isinstance(block.terminator, ir.Branch)
            and any(run.outcome(block.terminator.test) is not None for _, run in runs)
        }
        found: dict[int, Trace | None] = {}
        for called, run in runs:

            def decide(block: ir.Block, branch: ir.Branch, run: Constants = run) -> tuple[int, ...] | None:
                outcome = run.outcome(branch.test)
                if outcome is None:
                    return () if block.index in deciding else None
                return (branch.when_true if outcome else branch.when_false,)

            for index in traced_blocks(function.ir, decide):
                found.setdefault(index, called)
        return found

    def story(self, function: Function, last: Trace | None = None) -> list[Trace]:
        """The chain from the transform to the function, the transform first; ``last`` is the call at its end."""
        chain: list[Trace] = []
        trace = last or self.trace_of(function)
        while trace is not None and len(chain) < 8:
            chain.append(trace)
            trace = self.functions().get(trace.caller) if trace.caller is not None else None
        return chain[::-1]

    def _with_callees(self) -> dict[tuple[str, str], Trace]:
        """The functions given to transforms and their callees; those that are most certainly traced propagate first."""
        found: dict[tuple[str, str], Trace] = {}
        for level in range(3):
            seeds = {
                key: trace for key, trace in self._seeds.items() if tier(trace.transform) == level and key not in found
            }
            found.update(seeds)
            self._spread(list(seeds), found)
        return found

    def _without_excluded(self, found: dict[tuple[str, str], Trace]) -> dict[tuple[str, str], Trace]:
        """Those of the functions that are called where the constants of the calls before do not exclude it."""
        calls: dict[tuple[str, str], list[tuple[tuple[str, str], TracedCall]]] = {}
        for callee, traced in self._calls.items():
            for call in traced:
                calls.setdefault(call.caller.key, []).append((callee, call))
        kept: dict[tuple[str, str], Trace] = {}
        seeds = ((key, trace) for key, trace in found.items() if trace.caller is None)
        for seed, trace in sorted(seeds, key=lambda one: tier(one[1].transform)):
            kept.setdefault(seed, trace)
            pending = [seed]
            for key in pending:
                for callee, call in calls.get(key, ()):
                    while_traced = traced_calls(call.caller.ir, self.reached(call.caller))
                    if callee not in kept and call.bound.call.span in while_traced:
                        kept[callee] = call.trace
                        pending.append(callee)
        return kept

    def _spread(self, pending: list[tuple[str, str]], found: dict[tuple[str, str], Trace]) -> None:
        for key in pending:  # grows during the iteration: the nearest callees come first
            function = self._project.function(*key)
            if function is None:
                continue
            while_traced = traced_calls(function.ir)
            for bound in function.calls():
                if bound.call.span not in while_traced:
                    continue
                for callee in self._run_by(function, bound):
                    trace = Trace(found[key].transform, function.module, bound.call.span, key)
                    self._calls.setdefault(callee, []).append(TracedCall(trace, function, bound))
                    if callee not in found:
                        found[callee] = trace
                        pending.append(callee)

    def _run_by(self, function: Function, bound: BoundCall) -> list[tuple[str, str]]:
        """The functions of the project that a call runs: the callee, and those that it passes to a transform."""
        entity = bound.callee.entity
        target = entity.function if isinstance(entity, Compiled) else entity
        run = [(target.path, target.qualname)] if isinstance(target, FunctionReference) else []
        return run + self._applied.get((function.module.path, bound.call.span), [])


def decorated(function: Function, value: Value, env: Environment) -> Value:
    """The value that a decorated ``def`` binds: transforms compile it, unknown decorators keep the function."""
    entity, evaluator, project = value.entity, function.evaluator, function.project
    if not isinstance(entity, FunctionReference):
        return value
    for decorator in reversed(function.module.functions[entity.qualname].decorators):
        callee = decorator
        if isinstance(decorator, ir.Call):
            callee = decorator.func
            if evaluator.value(callee, env).entity == Named(PARTIAL) and decorator.args:
                callee = decorator.args[0].value
        target = evaluator.value(callee, env).entity
        transform = project.catalogue.transform(target.dotted) if isinstance(target, Named) else None
        if transform is not None:
            project.traced.note(entity, transform, function.module, decorator.span)
            return Value.uniform(Compiled(transform.name, entity))
    return value
