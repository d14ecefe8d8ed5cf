"""Uses of the process index during tracing: in a Python branch, or as a constant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.jax.program_devices import Reach, reach_of
from jaxmpi_lint.analysis.lattice.lattice import PROCESSES, Communicator, Named, Uniformity
from jaxmpi_lint.analysis.tracing.tracer_values import TracedNames
from jaxmpi_lint.analysis.tracing.transform_semantics import tier
from jaxmpi_lint.checks.base import reason_steps
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.jax.device_placement import DEVICE_PUT
from jaxmpi_lint.library.jax.tracers import STAGED_PACKAGES
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment
    from jaxmpi_lint.analysis.tracing.traced_functions import Trace

_ALL_PROCESSES = Communicator(PROCESSES, frozenset({PROCESSES}))


@dataclass(frozen=True, slots=True)
class ProcessUse:
    """A place where the program depends on the process index: a branch, or an expression that contains the index."""

    span: ir.Span
    value: Uniformity
    branches: bool
    trace: Trace | None


class ProcessInTrace:
    """The uses in one function that is traced."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._reached = function.project.traced.reached(function)

    @cached_property
    def _traced(self) -> TracedNames:
        return TracedNames.of(self._function)

    def uses(self) -> tuple[list[ProcessUse], list[ProcessUse]]:
        """Python branches on the process index that change the trace, and expressions that contain it."""
        branches, constants = list(self._statements()), []
        for expression, env, trace in self._expressions():
            for node in ir.walk(expression):
                if isinstance(node, ir.Conditional):
                    branches += self._decided(node, env, trace)
                part = self._constant_in(node, env)
                if part is not None:
                    constants.append(ProcessUse(node.span, self._function.value(part, env).content, False, trace))
        return branches, constants

    def _statements(self) -> Iterator[ProcessUse]:
        for block, branch, test in self._function.branches():
            if (
                block.index in self._reached and self._differs(test.content) and branch.kind in ("if", "while", "match")
            ) and self._changes_program(block.index, branch):
                yield ProcessUse(branch.span, test.content, True, self._reached[block.index])

    def _decided(self, node: ir.Conditional, env: Environment, trace: Trace | None) -> Iterator[ProcessUse]:
        test = self._function.value(node.test, env)
        if self._differs(test.content) and any(map(self._is_staged, (node.body, node.orelse))):
            yield ProcessUse(node.test.span, test.content, True, trace)

    def _expressions(self) -> Iterator[tuple[ir.Expression, Environment, Trace | None]]:
        for block, step, env in self._function.steps():
            if block.index in self._reached:
                for expression in expressions_read(step):
                    yield expression, env, self._reached[block.index]
        for block in self._function.ir.blocks:
            returns = isinstance(block.terminator, ir.Return)
            if returns and block.index in self._reached and self._function.flow.entries[block.index] is not None:
                env = self._function.flow.environment_before(block.index, None)
                for expression in terminator_expressions(block):
                    yield expression, env, self._reached[block.index]

    def _constant_in(self, node: ir.Expression, env: Environment) -> ir.Expression | None:
        """The part of an expression that is computed from the process index and combined with a tracer."""
        parts: tuple[ir.Expression, ...]
        match node:
            case ir.BinaryOperation(left=left, right=right):
                parts = (left, right)
            case ir.Subscript(value=value, index=index):
                parts = (value, index)
            case ir.Comparison(operands=operands):
                parts = operands
            case ir.Call(args=args) if self._is_operation(node):
                parts = tuple(argument.value for argument in args)
                return next((part for part in parts if self._is_number(part, env)), None)
            case _:
                return None
        number = next((part for part in parts if self._is_number(part, env)), None)
        return number if number is not None and any(map(self._traced.holds_tracer, parts)) else None

    def _is_number(self, part: ir.Expression, env: Environment) -> bool:
        """Whether a Python value is computed from the process index."""
        return self._differs(self._function.value(part, env).content) and not self._traced.holds_tracer(part)

    def _is_operation(self, call: ir.Call) -> bool:
        bound = self._function.bound(call)
        entity = bound.callee.entity if bound is not None else None
        name = entity.dotted if isinstance(entity, Named) else (bound.dotted or "") if bound is not None else ""
        return name.startswith(STAGED_PACKAGES) or name == DEVICE_PUT

    def _differs(self, value: Uniformity) -> bool:
        return divides(self._function, value, _ALL_PROCESSES, by_rank=True)

    # --- operations that an arm adds to the program ---

    def _changes_program(self, index: int, branch: ir.Branch) -> bool:
        graph = self._function.graph
        if {branch.when_true, branch.when_false} - set(graph.successors[index]):
            return False  # one side raises, so only one program exists
        arms = graph.reachable(branch.when_true, index) ^ graph.reachable(branch.when_false, index)
        return any(self._adds(block) for block in arms if block < graph.exit and block in self._reached)

    def _adds(self, index: int) -> bool:
        block = self._function.ir.blocks[index]
        if isinstance(block.terminator, ir.Return) and block.terminator.span != (0, 0):
            value = block.terminator.value
            if value is not None and self._is_staged(value):
                return True
        for step in block.steps:
            match step:
                case ir.Assign(value=value) if value is not None and self._is_staged(value):
                    return True
                case ir.AugmentedAssign(target=target, value=value):
                    if self._is_staged(target) or self._is_staged(value):
                        return True
                case ir.Evaluate(expression=ir.Call() as call):
                    if self._is_operation(call) or self._is_axis_collective(call):
                        return True
        return False

    def _is_axis_collective(self, call: ir.Call) -> bool:
        bound = self._function.bound(call)
        return bound is not None and any(entry.kind is Kind.AXIS_COLLECTIVE for entry in bound.operations)

    def _is_staged(self, expression: ir.Expression) -> bool:
        """Whether an expression is a tracer, or an operation of JAX."""
        if self._traced.holds_tracer(expression):
            return True
        return any(isinstance(node, ir.Call) and self._is_operation(node) for node in ir.walk(expression))


@dataclass(frozen=True, slots=True)
class ProcessInProgram:
    """A use of the process index that makes compiled programs differ between processes."""

    function: Function
    use: ProcessUse
    confidence: Confidence

    @property
    def kind(self) -> str:
        """Whether Python branches on it, or it is a constant in the program."""
        return "branch" if self.use.branches else "constant"

    @property
    def place(self) -> Place:
        """The branch, or the expression with the constant."""
        return Place(self.function.module, self.use.span)

    @property
    def entry(self) -> str:
        """The function that is traced."""
        return entry_name(self.function, self.use.trace)

    def steps(self) -> Iterator[Step]:
        """Where the index is read, then how the function is traced."""
        yield from reason_steps(self.use.value.reason)
        yield from trace_steps(self.function, self.use.trace)


def process_in_programs(function: Function) -> Iterator[ProcessInProgram]:
    """Each branch of a traced function; if it has none and works on global arrays, a constant."""
    if not _is_compiled(function):
        return
    deciding, inside = ProcessInTrace(function).uses()
    branches = list({use.span: use for use in deciding}.values())
    constants = [] if branches else inside[:1]
    reach = reach_of(function) if branches or constants else Reach.OWN
    if reach is Reach.OWN:
        return
    for use in branches:
        yield ProcessInProgram(function, use, Confidence.HIGH if reach is Reach.ALL else Confidence.MEDIUM)
    for use in constants if reach is Reach.ALL else ():
        yield ProcessInProgram(function, use, Confidence.HIGH)


def _is_compiled(function: Function) -> bool:
    """Whether a function's body is recorded and compiled."""
    trace = function.project.traced.trace_of(function)
    return trace is not None and tier(trace.transform) == 0
