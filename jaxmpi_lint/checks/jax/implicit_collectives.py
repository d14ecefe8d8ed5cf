"""Implicit collectives: reductions of sharded arrays, and ``device_put`` onto the devices of all processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.analysis.jax.collective_calls import JointStep
from jaxmpi_lint.analysis.jax.device_sets import asks_for
from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import SHARDING_DEFINITIONS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.checks.base import nested_steps
from jaxmpi_lint.checks.jax.divergent_launches import LaunchDivergences, is_of_tests
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.jax.arrays import ELEMENTWISE_FUNCTIONS, REDUCTION_METHODS, REDUCTIONS
from jaxmpi_lint.library.jax.device_placement import ALL_DEVICES, DEVICE_PUT, OWN_DEVICES, PARTITION_SPECS, SHARDINGS
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_ELEMENTWISE = frozenset({"+", "-", "*", "/", "**", "//", "%"})


def hidden_collective(function: Function, bound: BoundCall, parameters: frozenset[str]) -> str | None:
    """The implicit collective of a call; ``parameters`` are known to hold arrays sharded over all processes."""
    call, dotted = bound.call, bound.dotted or ""
    if dotted == DEVICE_PUT:
        place = call.argument(1, "device")
        return "`device_put` onto the devices of all processes" if _is_everywhere(function, place) else None
    if dotted.removeprefix("jax.numpy.") in REDUCTIONS and dotted.startswith("jax.numpy."):
        first = call.argument(0, None)
        reduces = first is not None and is_sharded(function, first, parameters)
        return f"`{_shown(function, call)}` of an array sharded over all processes" if reduces else None
    match call.func:
        case ir.Attribute(value=array, attr=name) if name in REDUCTION_METHODS and not bound.operations:
            if is_sharded(function, array, parameters):
                return f"`{_shown(function, call)}()` of an array sharded over all processes"
    return None


def is_sharded(function: Function, expression: ir.Expression, parameters: frozenset[str], depth: int = 0) -> bool:
    """Whether a value is provably an array whose shards lie on devices of several processes."""
    if depth > SHARDING_DEFINITIONS:
        return False
    match expression:
        case ir.Name(id=name):
            if name in parameters and not function.rebinds(name):
                return True
            found = visible_definitions(function, name)
            values = found[1] if found is not None else []
            return found is not None and all(is_sharded(found[0], value, parameters, depth + 1) for value in values)
        case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in _ELEMENTWISE:
            return any(is_sharded(function, part, parameters, depth + 1) for part in (left, right))
        case ir.Comparison(operands=operands):
            return any(is_sharded(function, part, parameters, depth + 1) for part in operands)
        case ir.UnaryOperation(operator="-" | "~", operand=operand):
            return is_sharded(function, operand, parameters, depth + 1)
        case ir.Call():
            return _makes_sharded(function, expression, parameters, depth)
    return False


def _makes_sharded(function: Function, call: ir.Call, parameters: frozenset[str], depth: int) -> bool:
    bound = function.bound(call)
    if bound is None:
        return False
    if bound.dotted == DEVICE_PUT:
        place = call.argument(1, "device")
        return _is_everywhere(function, place) and _is_split(function, place)
    if bound.operations:
        if bound.operations[-1].result is not Result.GLOBAL_ARRAY or not bound.operations[-1].name.startswith("jax."):
            return False
        sharding = bound.argument("sharding")
        of_parts = bound.operations[-1].method == "make_array_from_process_local_data"
        if sharding is None or asks_for(function, sharding, OWN_DEVICES):
            return False
        return _is_split(function, sharding, unless_told=of_parts)
    dotted = bound.dotted or ""
    if dotted.startswith("jax.numpy.") and dotted.removeprefix("jax.numpy.") in ELEMENTWISE_FUNCTIONS:
        first = call.argument(0, None)
        return first is not None and is_sharded(function, first, parameters, depth + 1)
    if isinstance(bound.callee.entity, FunctionReference):
        target = function.project.function(bound.callee.entity.path, bound.callee.entity.qualname)
        results = _results(target) if target is not None else []
        return (
            target is not None
            and bool(results)
            and all(is_sharded(target, value, frozenset(), depth + 1) for value in results)
        )
    return False


def _results(target: Function) -> list[ir.Expression]:
    ends = [block.terminator for block in target.ir.blocks if isinstance(block.terminator, ir.Return)]
    return [end.value for end in ends if end.value is not None and not target.ir.is_generator]


def _is_everywhere(function: Function, place: ir.Expression | None) -> bool:
    """Whether a sharding is provably one over the devices of all processes."""
    if place is None or not any(_last_name(node) in SHARDINGS for _, node in _parts(function, place)):
        return False
    if not asks_for(function, place, ALL_DEVICES) or asks_for(function, place, OWN_DEVICES):
        return False
    return not any(
        isinstance(node, ir.Subscript) and _last_name(node.value) == "devices" for _, node in _parts(function, place)
    )


def _is_split(function: Function, sharding: ir.Expression | None, unless_told: bool = False) -> bool:
    """Whether the specification of a sharding names an axis; ``unless_told`` is the result if it is unknown."""
    given: list[ir.Expression] = []
    specified = False
    for _, node in _parts(function, sharding) if sharding is not None else ():
        if isinstance(node, ir.Call) and _last_name(node) in PARTITION_SPECS:
            specified = True
            given += [argument.value for argument in node.args]
        if isinstance(node, (ir.Name, ir.Attribute)) and "repl" in (ir.dotted(node) or "").lower():
            return False
    return any(_names_axis(value) for value in given) if specified else unless_told


def _names_axis(value: ir.Expression) -> bool:
    return not ir.is_none(value)


def _parts(function: Function, expression: ir.Expression, depth: int = 0) -> Iterator[tuple[Function, ir.Expression]]:
    """The nodes of an expression and of the definitions of its names."""
    for node in ir.walk(expression):
        yield function, node
        if isinstance(node, ir.Name) and depth < SHARDING_DEFINITIONS:
            found = visible_definitions(function, node.id)
            for value in found[1] if found is not None else ():
                yield from _parts(found[0], value, depth + 1) if found is not None else ()


def _last_name(node: ir.Expression) -> str:
    called = node.func if isinstance(node, ir.Call) else None
    return (ir.dotted(called) or "").rpartition(".")[2] if called is not None else ""


def _shown(function: Function, call: ir.Call) -> str:
    return function.module.line(call.func.span)


class HiddenDivergences(LaunchDivergences):
    """Divergences of one function, with implicit collectives as well as launches."""

    def __init__(self, function: Function, sites: CallSites) -> None:
        super().__init__(function, sites)
        self._plain = LaunchDivergences(function, sites)

    def of_hidden(self) -> Iterator[tuple[Divergence, JointStep]]:
        """The divergences in which some processes do not reach an implicit collective, and nothing else differs."""
        if next(self._parting(), None) is None or not self.hidden:
            return
        known = {divergence.branch.span for divergence, _ in self._plain.of_launches()}
        known |= {divergence.branch.span for divergence in self._function.project.get(Divergences).of(self._function)}
        for divergence, step in self.of_launches():
            if step.span in self.hidden and divergence.branch.span not in known:
                yield divergence, step

    @cached_property
    def hidden(self) -> dict[ir.Span, JointStep]:
        """The calls of the function that are implicit collectives, or execute one."""
        found = ((bound, self._step(bound)) for bound in self._function.calls())
        return {bound.call.span: step for bound, step in found if step is not None}

    @cached_property
    def launches(self) -> dict[ir.Span, JointStep]:
        """The launches of the function, including implicit collectives."""
        return {**self.hidden, **self._plain.launches}

    @cached_property
    def _given(self) -> frozenset[str]:
        """The parameters to which every caller passes a sharded array."""
        function = self._function
        formal = [p.name for p in function.ir.parameters if p.name != function.self_name]
        sites = self._sites.of(function)
        return frozenset(
            name
            for index, name in enumerate(formal)
            if sites and all(_passes(site.caller, site.bound.call.argument(index, name)) for site in sites)
        )

    def _step(self, bound: BoundCall) -> JointStep | None:
        function = self._function
        what = hidden_collective(function, bound, self._given)
        if what is not None:
            return JointStep(function.module, bound.call.span, what)
        reference = bound.callee.entity
        if not isinstance(reference, FunctionReference):
            return None
        target = function.project.function(reference.path, reference.qualname)
        if target is None or target.ir.is_generator:
            return None
        formal = [p.name for p in target.ir.parameters if p.name != target.self_name]
        given = frozenset(n for i, n in enumerate(formal) if _passes(function, bound.call.argument(i, n), self._given))
        for inner in target.calls():
            what = hidden_collective(target, inner, given)
            if what is not None:
                reached = JointStep(target.module, inner.call.span, what)
                return JointStep(function.module, bound.call.span, f"`{_shown(function, bound.call)}`", reached)
        return None

    def _label(self, bound: BoundCall) -> tuple[str, ...]:
        if bound.call.span in self.hidden:
            return "hidden", _shown(self._function, bound.call)
        return super()._label(bound)


@dataclass(frozen=True, slots=True)
class DivergentHiddenCollective:
    """An implicit collective that only some processes reach."""

    divergence: Divergence
    step: JointStep

    @property
    def place(self) -> Place:
        """The operation, or the call that leads to it."""
        return Place(self.divergence.function.module, self.divergence.event.span)

    @property
    def who(self) -> str:
        """The processes that reach it, with the verb."""
        return divergence_story.who(self.divergence)

    @property
    def what(self) -> str:
        """The operation, with the call through which it is reached."""
        inner = self.step.inner
        return self.step.what if inner is None else f"{self.step.what}, which executes {inner.what}"

    @property
    def confidence(self) -> Confidence:
        """The confidence of the divergence, if the operation itself is in the branch."""
        return divergence_story.confidence(self.divergence) if self.step.inner is None else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The explanation of the divergence, then the operation in a called function."""
        yield from divergence_story.steps(self.divergence)
        yield from nested_steps(self.step.inner, "{what}")


def divergent_hidden_collectives(function: Function) -> Iterator[DivergentHiddenCollective]:
    """The implicit collectives of a function that some processes do not reach."""
    if has_several_processes(function.project):
        for divergence, step in HiddenDivergences(function, function.project.get(CallSites)).of_hidden():
            if is_of_tests(divergence):
                yield DivergentHiddenCollective(divergence, step)


def _passes(caller: Function, given: ir.Expression | None, parameters: frozenset[str] = frozenset()) -> bool:
    return given is not None and is_sharded(caller, given, parameters)
