"""mpi4jax collectives in branches and loop bodies of `jax.lax`, which are executed or repeated at run time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import steps_with
from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.divergence.event_languages import Outcomes, Side
from jaxmpi_lint.analysis.divergence.interprocedural_paths import Frames
from jaxmpi_lint.analysis.divergence.side_comparison import first_difference
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference, Named, Uniformity
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUses
from jaxmpi_lint.checks.base import link_steps, links_of
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind, Tracing, Transform

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_BRANCHES = frozenset({"cond", "switch"})
_LOOPS = frozenset({"while_loop", "fori_loop", "scan"})


@dataclass(frozen=True, slots=True)
class LaxEffect:
    """A divergent call of ``cond``, ``switch`` or a loop, and the operation that only some ranks execute."""

    function: Function
    call: ir.Call
    name: str
    value: Uniformity
    module: ir.Module
    span: ir.Span
    method: str

    @property
    def kind(self) -> str:
        """Whether the ranks take different branches, or execute a body with different trip counts."""
        return "loop" if self.name in _LOOPS else "branch"

    @property
    def place(self) -> Place:
        """The divergent call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where the predicate is the rank itself, medium where it depends on the rank through other values."""
        sure = self.value.level is Level.RANK and len(links_of(self.value.reason)) <= 1
        return Confidence.HIGH if sure else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """Why the ranks diverge, and the collective, if it is elsewhere."""
        yield from link_steps(links_of(self.value.reason))
        if self.module is not self.function.module or self.span != self.call.span:
            yield Step(self.module, self.span, f"`{self.method}` is a collective")


def lax_effects(function: Function) -> Iterator[LaxEffect]:
    """Each call in a function at which the ranks diverge with respect to an mpi4jax collective."""
    for _, bound, env in steps_with(function, (bound for bound in function.calls() if _chosen_by(function, bound))):
        transform = _chosen_by(function, bound)
        if transform is not None:
            yield from _of_call(function, bound.call, transform, env)


def _chosen_by(function: Function, bound: BoundCall) -> Transform | None:
    """The ``jax.lax`` function that is called, if it selects or repeats its function arguments."""
    entity = bound.callee.entity
    transform = function.project.catalogue.transform(entity.dotted) if isinstance(entity, Named) else None
    return transform if transform is not None and transform.tracing in (Tracing.BRANCH, Tracing.LOOP) else None


def _of_call(function: Function, call: ir.Call, transform: Transform, env: Environment) -> Iterator[LaxEffect]:
    name = transform.name.rpartition(".")[2]
    for value in _deciding(function, call, name, env):
        if value.level not in (Level.RANK, Level.LOCAL):
            continue
        functions = [_function_of(function, given, env) for given in _given(call, transform, name)]
        known = [target for target in functions if target is not None]
        if len(known) < len(functions) or not known:
            continue
        found = _parting(known, value) if name in _BRANCHES else _first(known[-1], value)
        if found is not None:
            yield LaxEffect(function, call, name, value, *found)
            return


def _parting(arms: list[Function], value: Uniformity) -> tuple[ir.Module, ir.Span, str] | None:
    """The first collective that is in one arm but not in a different one."""
    for other in arms[1:]:
        difference = first_difference(_side(arms[0], value), _side(other, value))
        if difference is not None:
            holder, event = (arms[0], difference.left[0]) if difference.left else (other, difference.right[0])
            return holder.module, event.span, event.known_operation.method
        silent = [arm for arm in (arms[0], other) if not list(_all_events(arm, value))]
        for arm in (arms[0], other):
            if silent and arm not in silent:
                return _first(arm, value)
    return None


def _first(target: Function, value: Uniformity) -> tuple[ir.Module, ir.Span, str] | None:
    """The first collective that a function executes, including the functions that it calls."""
    for use in target.project.get(CommunicatorUses).of_function(target):
        operation = use.operation
        recorded = operation.library == "mpi4jax" and operation.kind is Kind.COLLECTIVE
        if recorded and divides(target, value, use.communicator):
            return use.module, use.span, operation.method
    return None


def _deciding(function: Function, call: ir.Call, name: str, env: Environment) -> Iterator[Uniformity]:
    """The value that determines which branch is taken, or the trip count."""
    positions: dict[str, tuple[tuple[int, str], ...]] = {
        "cond": ((0, "pred"),),
        "switch": ((0, "index"),),
        "fori_loop": ((0, "lower"), (1, "upper")),
        "scan": ((3, "length"),),
    }
    for position, keyword in positions.get(name, ()):
        argument = call.argument(position, keyword)
        if argument is not None:
            yield function.value(argument, env).content
    rows = call.argument(2, "xs") if name == "scan" else None
    if rows is not None:
        yield function.value(rows, env).structure
    if name == "while_loop":
        yield from _loop_test(function, call, env)


def _loop_test(function: Function, call: ir.Call, env: Environment) -> Iterator[Uniformity]:
    """The value of the test of a ``while_loop``, for any carry, and before the first iteration."""
    given = call.argument(0, "cond_fun")
    target = _function_of(function, given, env) if given is not None else None
    if target is None:
        return
    if target.flow.returns is not None:
        yield target.flow.returns.content
    carried = call.argument(2, "init_val")
    result = target.ir.blocks[0].terminator
    if carried is not None and target.ir.parameters and isinstance(result, ir.Return) and result.value is not None:
        start = {**target.initial_environment(), target.ir.parameters[-1].name: function.value(carried, env)}
        for step in target.ir.blocks[0].steps:
            target.flow.step(step, start)
        yield target.value(result.value, start).content


def _given(call: ir.Call, transform: Transform, name: str) -> Iterable[ir.Expression | None]:
    """The functions that are passed to a call."""
    if name == "switch":
        branches = call.argument(1, "branches")
        return branches.elements if isinstance(branches, ir.Collection) else [None]
    return [call.argument(position, keyword) for keyword, position in transform.functions]


def _function_of(function: Function, expression: ir.Expression | None, env: Environment) -> Function | None:
    if expression is None:
        return None
    entity = function.value(expression, env).entity
    if isinstance(entity, Compiled):
        entity = entity.function
    return function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None


def _side(arm: Function, value: Uniformity) -> Side:
    def successors(block: int, known: Outcomes) -> Iterator[tuple[int, Outcomes]]:
        return ((target, known) for target in arm.graph.successors[block])

    frames = Frames(arm, lambda event: event if _is_recorded(arm, event, value) else None, successors)
    return Side((0, 0), (0, arm.graph.exit), frames)


def _all_events(arm: Function, value: Uniformity) -> Iterator[Event]:
    for block in arm.ir.blocks:
        yield from _events(arm, block.index, value)


def _events(arm: Function, block: int, value: Uniformity) -> list[Event]:
    """The mpi4jax collectives in a block that all ranks must record, and calls that may contain some."""
    if block >= arm.graph.exit or arm.flow.entries[block] is None:
        return []
    return [event for event in arm.block_events(block) if _is_recorded(arm, event, value)]


def _is_recorded(arm: Function, event: Event, value: Uniformity) -> bool:
    if event.operation is None or event.communicator is None:
        return event.opaque
    return event.operation.library == "mpi4jax" and divides(arm, value, event.communicator)
