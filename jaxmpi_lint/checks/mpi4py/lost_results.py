"""Pickle-based communication whose result is discarded although the program needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound, place_of
from jaxmpi_lint.analysis.conditions.guards import exclude_each_other
from jaxmpi_lint.analysis.lattice.lattice import Literal, RankOf, SizeOf
from jaxmpi_lint.checks.base import assign_result, reason_steps
from jaxmpi_lint.checks.mpi4py.discarded_results import (
    DiscardedResult,
    discarded_results,
    has_partner,
    is_counter,
    is_of_one_role,
    is_used_as_result,
    keeps_fields_beside,
)
from jaxmpi_lint.checks.mpi4py.unread_results import is_placeholder
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_GO_ON = {
    "bcast": "every rank except the root continues",
    "gather": "the root continues",
    "py_broadcast": "every rank except the root continues",
    "py_gather": "the root continues",
    "reduce": "the root continues",
    "recv": "the receiver continues",
}


@dataclass(frozen=True, slots=True)
class LostResult:
    """A discarded result that matters: the ``argument`` is used in its place, or the call is ``pointless``.

    One is ``dropped`` where other calls of the function keep what they gather from fields.
    """

    found: DiscardedResult
    argument: ir.Expression
    kind: str = "lost"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.found.function.module, self.found.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where the argument provably differs between the ranks."""
        is_sure = self.kind == "lost" and self.found.sent.content.level.diverges
        return Confidence.HIGH if is_sure else Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method that returns it."""
        return self.found.operation.method

    @property
    def text(self) -> str:
        """The argument as it is written."""
        return self.found.function.module.source(self.argument.span)

    @property
    def called(self) -> str:
        """What is called, as it is written."""
        return self.found.function.module.source(self.found.bound.call.func.span)

    @property
    def who(self) -> str:
        """The ranks that need the result, with the verb."""
        return _GO_ON.get(self.method, "every rank continues")

    def steps(self) -> Iterator[Step]:
        """Why the argument differs, and that it is unchanged."""
        if self.kind == "lost":
            content = self.found.sent.content
            yield from reason_steps(content.reason if content.level.diverges else None)
            message = f"returns the result; `{self.text}` keeps its old value"
            yield Step(self.place.module, self.place.span, message)


def lost_results(function: Function) -> Iterator[LostResult]:
    """Each discarded result of a function that matters."""
    for found in discarded_results(function):
        if found.argument is None or isinstance(found.argument, ir.Constant) or _is_signal(found):
            continue
        if found.operation.kind is Kind.RECEIVE:
            if is_used_as_result(found):
                yield LostResult(found, found.argument)
        elif not is_of_one_role(found) and not has_partner(found):
            if _is_missed(found):
                yield LostResult(found, found.argument)
            elif found.operation.method == "allreduce":
                yield LostResult(found, found.argument, "pointless")
            elif isinstance(found.argument, ir.Attribute) and keeps_fields_beside(found):
                yield LostResult(found, found.argument, "dropped")


_OWN = re.compile(r"(?:^|[._])(?:(?:my|world)_?)?(?:rank|size|id|pid|hosts?|hostname|node|me)$", re.IGNORECASE)
"""Names of what each rank knows about itself."""


def _is_signal(found: DiscardedResult) -> bool:
    """Whether the value only tells that a rank is there: a rank, or what the receiver has as well."""
    name = ir.dotted(found.argument) if found.argument is not None else None
    if name is not None and _OWN.search(name):
        return True
    is_constant = isinstance(found.sent.entity, Literal) and not found.sent.content.level.diverges
    is_fixed = is_constant or isinstance(found.sent.entity, (RankOf, SizeOf))
    if found.operation.kind is not Kind.RECEIVE:
        return is_fixed
    return (is_fixed or found.sent.content.level is Level.UNIFORM) and not _is_changed_by_sender(found)


def _is_changed_by_sender(found: DiscardedResult) -> bool:
    """Whether ranks that do not make this receive change the variable, and the receiver has no value of its own."""
    function, place = found.function, found.place
    changes = {
        block.index
        for block in function.ir.blocks
        for step in block.steps
        if place in set(_changed(step)) and exclude_each_other(function, block.index, found.block.index)
    }
    return bool(changes) and not any(
        _is_own_value(function, step, place) and any(exclude_each_other(function, block.index, one) for one in changes)
        for block in function.ir.blocks
        for step in block.steps
        if block.index not in changes
    )


def _is_own_value(function: Function, step: ir.Step, place: str | None) -> bool:
    """Whether a step assigns more than a placeholder to a variable."""
    if not isinstance(step, ir.Assign) or step.value is None or place not in map(ir.dotted, step.targets):
        return False
    is_text = isinstance(step.value, ir.Constant) and isinstance(step.value.value, str) and step.value.value != ""
    return is_text or not is_placeholder(function, step.value)


def _changed(step: ir.Step) -> Iterator[str | None]:
    """The variables that a step binds, stores into, or calls a method of for its effect."""
    yield from names_bound(step)
    match step:
        case ir.Assign(targets=targets):
            yield from map(place_of, targets)
        case ir.AugmentedAssign(target=target):
            yield place_of(target)
        case ir.Discard(value=ir.Call(func=ir.Attribute(value=changed))):
            yield place_of(changed)


def _is_missed(found: DiscardedResult) -> bool:
    """Whether some rank continues with a value that may differ from the result."""
    return found.sent.content.level is not Level.UNIFORM and not is_counter(found) and is_used_as_result(found)


def assignment(lost: LostResult) -> Repair | None:
    """The fix: assign the result to the argument, if that is an assignable expression on one line."""
    is_target = isinstance(lost.argument, (ir.Name, ir.Attribute, ir.Subscript)) and "\n" not in lost.text
    return assign_result(lost.found.step.span[0], lost.text) if lost.kind == "lost" and is_target else None
