"""Launches of computations on the devices of all JAX processes, as events that every process must reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.finder import FunctionDivergences
from jaxmpi_lint.analysis.jax.collective_calls import JointStep, joint_step
from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes, is_global_array
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import PROCESSES, WORLD, Communicator, Compiled, FunctionReference
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.checks.base import nested_steps
from jaxmpi_lint.checks.worlds.selection import Worlds
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind, Operation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_LAUNCH = Operation("jax.launch", Kind.COLLECTIVE, communicator="processes")


@dataclass(frozen=True, slots=True)
class DivergentLaunch:
    """A launch that only some processes reach."""

    divergence: Divergence
    launch: JointStep

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.divergence.function.module, self.divergence.event.span)

    @property
    def who(self) -> str:
        """The processes that reach it, with the verb."""
        return divergence_story.who(self.divergence)

    @property
    def confidence(self) -> Confidence:
        """The confidence of the divergence, if the launch itself is in the branch."""
        return divergence_story.confidence(self.divergence) if self.launch.inner is None else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The explanation of the divergence, then the calls that lead to the launch."""
        yield from divergence_story.steps(self.divergence)
        yield from nested_steps(self.launch.inner, "launches {what}")


def divergent_launches(function: Function) -> Iterator[DivergentLaunch]:
    """The launches of a function that some processes do not reach."""
    if has_several_processes(function.project):
        for divergence, launch in LaunchDivergences(function, function.project.get(CallSites)).of_launches():
            if is_of_tests(divergence):
                yield DivergentLaunch(divergence, launch)


def is_of_tests(divergence: Divergence) -> bool:
    """Whether it comes from a test; a separate rule covers the trip counts of loops over data."""
    return divergence.kind != "loop" or divergence.branch.kind == "while"


def launch_of(function: Function, bound: BoundCall, sites: CallSites) -> JointStep | None:
    """The launch that a call makes, itself or in a called function; None if there is none on all processes."""
    if bound.operations:
        return None
    return _by_its_text(function, bound, sites) or _of_worlds(function, bound)


def _of_worlds(function: Function, bound: BoundCall) -> JointStep | None:
    """The launch that a call makes or leads to when the program is followed."""
    if not has_several_processes(function.project):
        return None
    place = function.project.get(Worlds).launch(function.module, bound.call.span)
    if place is None:
        return None
    text = place.module.source(place.span).partition("(")[0]
    what = f"the computation `{' '.join(text.split())}` on a global array"
    launched = JointStep(place.module, place.span, what)
    if (place.module.path, place.span) == (function.module.path, bound.call.span):
        return launched
    return JointStep(function.module, bound.call.span, _shown(function, bound), launched)


def _by_its_text(function: Function, bound: BoundCall, sites: CallSites) -> JointStep | None:
    """The launch that the text of a call and of the functions that it calls shows."""
    found = joint_step(function, bound)
    if found is not None:
        last = found
        while last.inner is not None:
            last = last.inner
        return found if last.what.startswith("the computation") else None
    if isinstance(bound.callee.entity, FunctionReference):
        return _passes_global_array(function, bound, bound.callee.entity)
    if isinstance(bound.callee.entity, Compiled) and _is_given_global_array(function, bound, sites):
        return JointStep(
            function.module, bound.call.span, f"the computation {_shown(function, bound)} on a global array"
        )
    return None


def _passes_global_array(function: Function, bound: BoundCall, callee: FunctionReference) -> JointStep | None:
    """The launch in a called function on a parameter to which this call passes a global array."""
    target = function.project.function(callee.path, callee.qualname)
    if target is None or target.ir.is_generator or not has_several_processes(function.project):
        return None
    formal = [p.name for p in target.ir.parameters if p.name != target.self_name]
    for inner in target.calls():
        if not isinstance(inner.callee.entity, Compiled):
            continue
        names = {argument.value.id for argument in inner.call.args if isinstance(argument.value, ir.Name)}
        for name in names & set(formal):
            given = bound.call.argument(formal.index(name), name)
            if given is not None and is_global_array(function, given):
                what = f"the computation {_shown(target, inner)} on a global array"
                launched = JointStep(target.module, inner.call.span, what)
                return JointStep(function.module, bound.call.span, _shown(function, bound), launched)
    return None


def _shown(function: Function, bound: BoundCall) -> str:
    return f"`{' '.join(function.module.source(bound.call.func.span).split())}`"


def _is_given_global_array(function: Function, bound: BoundCall, sites: CallSites) -> bool:
    """Whether an argument is a parameter to which some caller passes a global array."""
    if not has_several_processes(function.project):
        return False
    names = {argument.value.id for argument in bound.call.args if isinstance(argument.value, ir.Name)}
    formal = [p.name for p in function.ir.parameters if p.name != function.self_name]
    for name in names & set(formal):
        for site in sites.of(function):
            given = site.bound.call.argument(formal.index(name), name)
            if given is not None and is_global_array(site.caller, given):
                return True
    return False


class LaunchDivergences(FunctionDivergences):
    """Divergences of one function in which launches count as collectives of all JAX processes."""

    def __init__(self, function: Function, sites: CallSites) -> None:
        super().__init__(function)
        self._sites = sites
        self._merged: dict[int, list[Event]] = {}

    @cached_property
    def launches(self) -> dict[ir.Span, JointStep]:
        """The calls of the function that are launches."""
        found = ((bound, launch_of(self._function, bound, self._sites)) for bound in self._function.calls())
        return {bound.call.span: launch for bound, launch in found if launch is not None}

    def of_launches(self) -> Iterator[tuple[Divergence, JointStep]]:
        """The divergences in which some processes do not reach a launch, and the launch."""
        for divergence in self.find():
            launch = self.launches.get(divergence.event.span)
            if launch is not None and divergence.event.operation is _LAUNCH and not divergence.in_role_loop:
                yield divergence, launch

    def _has_events(self) -> bool:
        return bool(self.launches)

    def _block_events(self, index: int) -> list[Event]:
        if index >= len(self._blocks) or self._function.flow.entries[index] is None:
            return []
        if index not in self._merged:
            known = {event.span: event for event in self._function.block_events(index)}
            self._merged[index] = [
                known.get(call.span) or self._event(call, index)
                for call in _calls_of(self._blocks[index])
                if call.span in known or call.span in self.launches
            ]
        return self._merged[index]

    def _event(self, call: ir.Call, index: int) -> Event:
        connected = self._function.module_model.connects_processes
        ancestors = frozenset({WORLD}) if connected else frozenset[str]()
        everyone = Communicator(PROCESSES, frozenset({PROCESSES}), ancestors, "all JAX processes")
        return Event(self._label(self._function.flow.calls[call.span]), call.span, index, _LAUNCH, everyone)

    def _label(self, bound: BoundCall) -> tuple[str, ...]:
        """The label that matching launches share."""
        entity = bound.callee.entity
        target = entity.function if isinstance(entity, Compiled) else entity
        if not isinstance(target, FunctionReference):
            return "launch", self._function.module.source(bound.call.func.span)
        return "launch", target.path, target.qualname


def _calls_of(block: ir.Block) -> Iterator[ir.Call]:
    for step in block.steps:
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            yield step.expression
