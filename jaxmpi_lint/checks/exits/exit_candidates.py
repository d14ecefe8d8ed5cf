"""Exits by an exception, and the roles that may take them alone; properties are computed lazily."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.trace import Subject
from jaxmpi_lint.analysis.participation.call_failures import selects
from jaxmpi_lint.checks.exits.divergent_exits import Condition, DivergentExit, DivergentExits, Exit

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.model.call_graph import CallSite
    from jaxmpi_lint.analysis.participation.must_collectives import NextCollective


class ExitCandidate:
    """One exit of a function."""

    def __init__(self, exits: DivergentExits, left: Exit) -> None:
        self.exits = exits
        self.left = left

    @property
    def function(self) -> Function:
        """The function that contains the exit."""
        return self.exits.function

    @property
    def subject(self) -> Subject:
        """The exit, for a trace."""
        return Subject.of(self.function, self.left.span)

    @cached_property
    def conditions(self) -> list[Condition]:
        """The tests that decide whether the exit is reached."""
        return list(self.exits.conditions(self.left.block))

    @cached_property
    def ranked(self) -> list[Condition]:
        """The conditions that depend on the rank, or on data of the process."""
        return [condition for condition in self.conditions if selects(condition.test)]

    @cached_property
    def roles(self) -> list[Condition]:
        """The conditions that select a role that may exit alone, the last one first."""
        found = [condition for condition in self.ranked if not self.exits.is_colour(condition)]
        return sorted(found, key=lambda condition: condition.branch.span, reverse=True)

    @cached_property
    def further(self) -> list[Condition]:
        """The remaining conditions."""
        return [condition for condition in self.conditions if condition not in self.roles]


class RoleCandidate:
    """One exit, taken by one role."""

    def __init__(self, of: ExitCandidate, role: Condition) -> None:
        self.exit = of
        self.exits = of.exits
        self.left = of.left
        self.role = role
        self.further = of.further

    @property
    def function(self) -> Function:
        """The function that contains the exit."""
        return self.exits.function

    @cached_property
    def _found(self) -> tuple[NextCollective | None, CallSite | None]:
        ahead = self.exits.ahead_of_others(self.role, self.further)
        if ahead is None and self.exits.others_return(self.role):
            return self.exits.ahead_in_callers(self.left, self.role)
        return ahead, None

    @property
    def ahead(self) -> NextCollective | None:
        """The collective that the others must reach."""
        return self._found[0]

    @property
    def caller(self) -> CallSite | None:
        """The call of the function, if the collective is after that call."""
        return self._found[1]

    @cached_property
    def divergent_exit(self) -> DivergentExit:
        """The description for the rule."""
        assert self.ahead is not None
        inner = [c for c in self.further if c.branch.span >= self.role.branch.span] or self.further
        reason = max(inner, key=lambda condition: condition.branch.span, default=None)
        left, fact = self.left, self.exits.fact(self.role)
        return DivergentExit(
            self.function,
            left.span,
            left.kind,
            self.role,
            reason,
            self.ahead,
            fact,
            self.caller,
            self.exits.is_of_data(self.role, self.exit.conditions),
            left.inner,
        )
