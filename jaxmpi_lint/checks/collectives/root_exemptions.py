"""Exemptions for constant roots, in the order in which they are tested: no finding, or a lower confidence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption, Subject, Tier
from jaxmpi_lint.analysis.model.overriding import overrides
from jaxmpi_lint.checks.collectives.constant_roots import (
    is_only_communicator,
    is_passed_on,
    is_tied,
    is_without,
)
from jaxmpi_lint.checks.collectives.root_parameters import (
    RootParameter,
    RootUses,
    compares_rank_with,
    is_from_root,
    is_named_root,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_RANK = re.compile(r"(?:^|_)rank$", re.IGNORECASE)


@dataclass(frozen=True)
class RootCandidate:
    """A collective with a constant root, and a parameter that may be the intended root."""

    function: Function
    bound: BoundCall
    parameter: RootParameter
    constant: int

    @property
    def uses(self) -> RootUses:
        """How the function uses the parameter."""
        return self.parameter.uses

    @property
    def subject(self) -> Subject:
        """The call, for a trace of this parameter."""
        name = self.parameter.parameter.name
        return Subject.of(self.function, self.bound.call.span).about(f"parameter `{name}`")

    @property
    def context(self) -> str:
        """The communicator of the call."""
        return self.bound.communicator.context if self.bound.communicator is not None else ""

    @cached_property
    def is_tied(self) -> bool:
        """Whether the rank given by the parameter creates the data sent, or uses the result of the root."""
        return self.context in self.uses.ranks and is_tied(self.function, self.bound, self.parameter)

    @property
    def is_rank_here(self) -> bool:
        """Whether the parameter is a rank of a communicator, but not in the code around this call."""
        return not self.is_tied and bool(self.uses.contexts)

    @property
    def is_handed_on(self) -> bool:
        """Whether it is only known to be passed on to other functions."""
        return not self.is_tied and not self.uses.contexts and self.uses.handed_on

    @property
    def is_only_named(self) -> bool:
        """Whether only its name indicates that it is a root."""
        return not self.is_tied and not self.uses.contexts and not self.uses.handed_on


def _exemption(
    name: str, why: str, seen: str, holds: Callable[[RootCandidate], bool], tier: Tier = Tier.NONE
) -> Exemption[RootCandidate]:
    def applies(candidate: RootCandidate) -> Evidence | None:
        if not holds(candidate):
            return None
        place = Place(candidate.parameter.function.module, candidate.parameter.parameter.span)
        return Evidence(f"`{candidate.parameter.parameter.name}` {seen}", place, tier)

    return Exemption(name, why, applies)


def _asks_for_constant(candidate: RootCandidate) -> bool:
    communicator = candidate.bound.communicator
    if candidate.is_only_named and _compares_named_rank(candidate):
        return True
    if not candidate.is_rank_here or communicator is None:
        return False
    return compares_rank_with(candidate.function, communicator, candidate.constant)


def _compares_named_rank(candidate: RootCandidate) -> bool:
    """Whether a test compares a parameter that is named like a rank with the constant."""
    for _, branch, _ in candidate.function.branches():
        for node in ir.walk(branch.test):
            match node:
                case ir.Comparison(
                    operands=(ir.Name(id=name), ir.Constant(value=int(number))), operators=("==" | "!=",)
                ):
                    if _RANK.search(name) and number == candidate.constant:
                        return True
    return False


def _is_other_direction(candidate: RootCandidate) -> bool:
    directions = candidate.uses.from_root
    return candidate.is_rank_here and bool(directions) and is_from_root(candidate.bound) not in directions


EXEMPTIONS: tuple[Exemption[RootCandidate], ...] = (
    _exemption(
        "compared-with-number",
        "The parameter is compared with a number.",
        "is compared with a number",
        lambda candidate: candidate.uses.numbers,
    ),
    _exemption(
        "message-partner",
        "The parameter is the source or destination of a message.",
        "is the source or destination of a message",
        lambda candidate: candidate.uses.messages,
    ),
    _exemption(
        "without-root",
        "The call is guarded by a test of the parameter for `None`, or for its truth.",
        "is tested for `None`, or for its truth, before the call",
        lambda candidate: is_without(candidate.function, candidate.bound, candidate.parameter),
    ),
    _exemption(
        "other-communicator",
        "The parameter is a rank of a different communicator.",
        "is a rank of a different communicator",
        lambda candidate: bool(candidate.uses.contexts) and candidate.context not in candidate.uses.contexts,
    ),
    _exemption(
        "other-name",
        "The parameter is not named like a root, and its rank does none of the work of a root.",
        "is not a name for a root",
        lambda candidate: not candidate.is_tied and not is_named_root(candidate.parameter.parameter.name),
    ),
    _exemption(
        "passed-on",
        "The result goes to a fixed root and is broadcast from there, so any rank can be that root.",
        "is irrelevant: the same constant root collects and distributes the data",
        lambda candidate: not candidate.is_tied and is_passed_on(candidate.function, candidate.bound),
    ),
    _exemption(
        "constant-is-meant",
        "The function also tests for the rank that is the constant.",
        "is not the only root: the rank is also compared with the constant",
        _asks_for_constant,
    ),
    _exemption(
        "other-direction",
        "The parameter is the rank that receives a result, the constant the rank whose data are sent, or vice versa.",
        "is the root of collectives in the other direction",
        _is_other_direction,
        Tier.LOW,
    ),
    _exemption(
        "no-direction",
        "The parameter is compared with the rank, and is the root of no collective.",
        "is compared with the rank, and is the root of no collective",
        lambda candidate: candidate.is_rank_here and not candidate.uses.from_root,
        Tier.MEDIUM,
    ),
    _exemption(
        "bound-anew",
        "The function reassigns the parameter.",
        "is reassigned",
        lambda candidate: (candidate.is_handed_on or candidate.is_only_named) and candidate.uses.rebound,
    ),
    _exemption(
        "handed-on",
        "The parameter is passed on to other functions; otherwise only its name indicates that it is a root.",
        "is passed on to other functions",
        lambda candidate: candidate.is_handed_on,
        Tier.MEDIUM,
    ),
    _exemption(
        "used-otherwise",
        "The parameter is used in a way that does not show its meaning.",
        "is used in a way that does not show its meaning",
        lambda candidate: candidate.is_only_named and candidate.uses.otherwise,
    ),
    _exemption(
        "overriding-method",
        "The parameter exists because the overridden method has it.",
        "belongs to a method that overrides one of a base class",
        lambda candidate: candidate.is_only_named and overrides(candidate.parameter.function),
    ),
    _exemption(
        "several-communicators",
        "The function uses several communicators, or creates one: the root may belong to any of them.",
        "may be a rank in any of the function's communicators",
        lambda candidate: candidate.is_only_named and not is_only_communicator(candidate.function, candidate.bound),
    ),
    _exemption(
        "named-only",
        "Only its name indicates that the parameter is a root.",
        "is a root only by its name",
        lambda candidate: candidate.is_only_named,
        Tier.MEDIUM,
    ),
)
"""Within one kind, exemptions of a lower tier come last: the first one that excludes a candidate ends the search."""
