"""Arguments of collectives that must be uniform, and are computed from the rank or drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.conditions.division import divides, parts_by_rank
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import Communicator, RankOf, Uniformity, Value
from jaxmpi_lint.analysis.lattice.limits import ROLE_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.handed_arguments import handed_arguments
from jaxmpi_lint.checks.base import confidence_of, reason_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment
    from jaxmpi_lint.library.model import Operation


@dataclass(frozen=True, slots=True)
class RankArgument:
    """A root, an operator or a communicator that depends on the rank or on a random number, and the reason."""

    function: Function
    event: Event
    what: str
    uniformity: Uniformity

    @property
    def kind(self) -> str:
        """Whether each process draws the argument."""
        return "drawn" if self.uniformity.source is Source.RANDOM else "argument"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.event.span)

    @property
    def confidence(self) -> Confidence:
        """High if the rank itself is passed."""
        return confidence_of(self.uniformity.reason)

    def steps(self) -> Iterator[Step]:
        """The source of the argument, and the call."""
        yield from reason_steps(self.uniformity.reason)
        yield Step(self.function.module, self.event.span, "the calls do not match")


def rank_arguments(function: Function) -> Iterator[RankArgument]:
    """The calls that every rank makes, with an argument that depends on the rank."""
    seen: set[ir.Span] = set()
    for block, bound, env in operation_steps(function, _is_collective):
        communicator = bound.communicator
        if bound.operation is None or communicator is None or bound.call.span in seen:
            continue
        for what, uniformity in _divergent(function, bound, communicator, env):
            if not is_for_some_ranks(function, block.index):
                seen.add(bound.call.span)
                event = Event((bound.operation.event,), bound.call.span, block.index, bound.operation, communicator)
                yield RankArgument(function, event, what, uniformity)
                break
    for event, what, uniformity in handed_arguments(function) if not is_for_intercommunicators(function) else ():
        if event.span not in seen and not is_for_some_ranks(function, event.block):
            seen.add(event.span)
            yield RankArgument(function, event, what, uniformity)


def _is_collective(bound: BoundCall) -> bool:
    """Whether a call is a collective of several processes."""
    of_several = bound.communicator is not None and bool(bound.communicator.groups)
    return of_several and bound.operation is not None and bound.operation.kind in COLLECTIVE_KINDS


def _divergent(
    function: Function, bound: BoundCall, communicator: Communicator, env: Environment
) -> Iterator[tuple[str, Uniformity]]:
    operation = bound.known_operation
    for what, name in (("root", operation.root), ("operator", operation.reduction)):
        argument = bound.argument(name)
        if what == "operator" and isinstance(argument, ir.Subscript):
            continue  # the entries of a table may all be the same operator: the interpreter compares them
        if argument is not None and not is_for_intercommunicators(function):
            content = function.value(argument, env).content
            drawn = content.source is Source.RANDOM and divides(function, content, communicator)
            differs = drawn or divides(function, content, communicator, by_rank=True)
            meant = what == "root" and (_is_answered(function, bound, env) or _is_elected(function, argument))
            if differs and not meant:
                yield what, content
    held = _handle(function, bound, env)
    if held is not None and parts_by_rank(held.content, communicator):
        yield "communicator", held.content


def _is_answered(function: Function, bound: BoundCall, env: Environment) -> bool:
    """Whether each caller sends as root itself, while a function for the other ranks only receives."""
    operation = bound.known_operation
    own, root = _sent(bound), bound.argument(operation.root)
    if own is None or root is None or not isinstance(function.value(root, env).entity, RankOf):
        return False
    return has_receivers(function, operation)


def has_receivers(function: Function, operation: Operation) -> bool:
    """Whether another function calls an operation for ranks that only receive."""
    counterparts = {
        other.key: [call for call in other.calls() if call.operation == operation]
        for module in function.project.modules()
        for other in module.with_operations
        if other.key != function.key
    }
    return any(calls and all(_sent(call) is None for call in calls) for calls in counterparts.values())


def _is_elected(function: Function, root: ir.Expression) -> bool:
    """Whether a root that begins as the own rank is replaced by received data, as in an election."""
    if not isinstance(root, ir.Name):
        return False

    def assigns(step: ir.Step) -> bool:
        return isinstance(step, ir.Assign) and any(ir.dotted(target) == root.id for target in step.targets)

    given = (
        function.value(step.value, env).content
        for _, step, env in function.steps(assigns)
        if isinstance(step, ir.Assign) and step.value is not None
    )
    return any(one.level in (Level.UNKNOWN, Level.LOCAL) and one.source is not Source.RANDOM for one in given)


def _sent(bound: BoundCall) -> ir.Expression | None:
    """The data that a call sends, if they are not None."""
    given = [argument for name in bound.known_operation.sends if (argument := bound.argument(name)) is not None]
    return next((argument for argument in given if not ir.is_none(argument)), None)


def _handle(function: Function, bound: BoundCall, env: Environment) -> Value | None:
    """The communicator as passed to the call."""
    operation = bound.known_operation
    if operation.communicator == "self":
        return bound.receiver
    argument = bound.argument(operation.communicator)
    return function.value(argument, env) if argument is not None else None


def is_for_intercommunicators(function: Function) -> bool:
    """Whether the root may be that of an intercommunicator, which differs within its group."""
    return "PROC_NULL" in function.module.text or "MPI.ROOT" in function.module.text


def is_for_some_ranks(function: Function, block: int, depth: int = 0) -> bool:
    """Whether divergent tests guard the call, here or in all callers: these ranks may pass the same argument.

    A test of files does not select ranks: where it differs, it does so by accident.
    """
    here = any(
        guard.test.content.level.diverges and guard.test.content.source is not Source.FILES
        for guard in guards(function, block)
        if guard.truth or guard.branch.kind not in ("for", "while")  # all ranks reach the code after a loop
    )
    sites = function.project.get(CallSites).of(function)
    return here or (
        depth < ROLE_CALLERS
        and bool(sites)
        and all(is_for_some_ranks(site.caller, site.block, depth + 1) for site in sites)
    )
