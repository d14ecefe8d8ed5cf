"""Methods ``__del__`` that communicate or free a communicator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.communication_events import on_the_wire
from jaxmpi_lint.analysis.participation.command_loops import RoleLoops
from jaxmpi_lint.analysis.participation.lazy_initialisation import later_calls_may_communicate
from jaxmpi_lint.analysis.uniformity.communicator_usage import (
    CommunicatorUse,
    CommunicatorUses,
    call_of,
    called_function,
)
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class CommunicatingFinaliser:
    """A ``__del__``, a call in it, and the operation that the call executes."""

    function: Function
    call: ir.Call
    use: CommunicatorUse

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the program may ensure that all ranks collect the object at the same point."""
        return Confidence.MEDIUM

    @property
    def what(self) -> str:
        """The operation."""
        method = f"`{self.use.operation.method}`"
        return f"{method} of a communicator" if self.use.operation.kind is Kind.FREE else method

    def steps(self) -> Iterator[Step]:
        """The method, and the operation if it is in a called function."""
        module, use = self.function.module, self.use
        yield Step(
            module, self.function.ir.name_span, "runs when the garbage collector of this rank reclaims the object"
        )
        if use.span != self.call.span or use.module is not module:
            yield Step(use.module, use.span, f"`{module.source(self.call.func.span)}` executes {self.what}")


def communicating_finalisers(function: Function) -> Iterator[CommunicatingFinaliser]:
    """The first call of a ``__del__`` that communicates."""
    if _is_finaliser(function):
        found = next(_uses(function), None)
        if found is not None:
            yield found


def _uses(function: Function) -> Iterator[CommunicatingFinaliser]:
    uses = function.project.get(CommunicatorUses)
    for _, step, env in function.steps():
        bound = call_of(function, step)
        for use in uses.of_call(function, bound, env) if bound is not None else ():
            ends = use.operation.kind is Kind.FREE
            if bound is None or use.communicator.is_self or not (ends or use.operation.communicates):
                continue
            if ends or not (
                _is_awaited(function, use) or _is_received(function, use) or _is_done_before(function, bound)
            ):
                yield CommunicatingFinaliser(function, bound.call, use)


def _is_awaited(function: Function, use: CommunicatorUse) -> bool:
    """Whether a worker loop receives it as a command: only the rank that sends commands has such objects."""
    model = function.project.module(use.module.path)
    return model is not None and on_the_wire(use.operation) in model.project.get(RoleLoops).operations(model.ir.path)


def _is_received(function: Function, use: CommunicatorUse) -> bool:
    """Whether it is a send that a receive outside of every finaliser may take, whenever the object is collected."""
    pickles = use.operation.method.islower()
    return use.operation.kind is Kind.SEND and pickles in function.project.get(OpenReceives).pickling


class OpenReceives:
    """The receives of a project that no finaliser makes."""

    def __init__(self, project: Program) -> None:
        self._project = project

    @cached_property
    def pickling(self) -> frozenset[bool]:
        """Whether they take objects, as ``recv`` does, or buffers."""
        functions = [one for model in self._project.modules() for one in model.functions()]
        inside = self._reached([one for one in functions if _is_finaliser(one)])
        return frozenset(
            operation.method.islower()
            for one in functions
            if one.key not in inside
            for bound in one.operation_calls
            for operation in bound.operations
            if operation.kind is Kind.RECEIVE
        )

    def _reached(self, pending: list[Function]) -> set[tuple[str, str]]:
        """The functions that finalisers run."""
        seen = {one.key for one in pending}
        while pending:
            for _, _, called in pending.pop().calls_of_functions:
                target = self._project.function(*called.key)
                if target is not None and target.key not in seen:
                    seen.add(target.key)
                    pending.append(target)
        return seen


def _is_finaliser(function: Function) -> bool:
    return function.ir.owner is not None and function.ir.qualname.rpartition(".")[2] == "__del__"


def _is_done_before(function: Function, bound: BoundCall) -> bool:
    """Whether the called function communicates only on its first call, and is also called elsewhere."""
    called = called_function(bound)
    target = function.project.function(called.path, called.qualname) if called is not None else None
    if target is None or later_calls_may_communicate(target):
        return False
    return any(site.caller is not function for site in function.project.get(CallSites).of(target))
