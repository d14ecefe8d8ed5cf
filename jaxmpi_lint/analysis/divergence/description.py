"""Description of a candidate: the call that one side does not reach, the sides, and the shape of the difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import repeats
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.participation.command_loops import is_role_loop

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.branch_sides import BranchSides, FunctionEvents
    from jaxmpi_lint.analysis.divergence.side_comparison import Difference
    from jaxmpi_lint.analysis.lattice.interfaces import Event, Function
    from jaxmpi_lint.analysis.lattice.lattice import Uniformity
    from jaxmpi_lint.analysis.lattice.views import Graph


_IN_EXPRESSIONS = frozenset({"and", "or", "conditional", "comprehension"})


@dataclass(frozen=True)
class Description:
    """Description of a branch whose sides have a ``difference``; ``meeting`` is the block where they meet."""

    function_events: FunctionEvents
    block: int
    branch: ir.Branch
    test: Uniformity
    sides: BranchSides
    difference: Difference
    meeting: int

    @property
    def shown(self) -> tuple[Event, ...]:
        """The events of the side that is reported: the true one, if it has any."""
        return self.difference.left or self.difference.right

    @cached_property
    def kind(self) -> str:
        """The shape of the difference."""
        event, left, right = self.shown[0], bool(self.difference.left), bool(self.difference.right)
        if repeats(self.branch) and self._contains(event):
            return "loop"
        if self.branch.kind in _IN_EXPRESSIONS and self._contains(event):
            return "short-circuit"
        if left and right:
            return "mismatch"
        return "branch" if self._is_in_statement(event) else "exit"

    def _contains(self, event: Event) -> bool:
        return self.branch.extent[0] <= event.span[0] < self.branch.extent[1]

    def _is_in_statement(self, event: Event) -> bool:
        """Whether an event is inside of the statement that the branch, or the expression around it, belongs to."""
        if self._contains(event):
            return True
        start = self.branch.span[0]
        return self.branch.kind in _IN_EXPRESSIONS and any(
            branch.test.span[0] <= start < branch.test.span[1] and branch.extent[0] <= event.span[0] < branch.extent[1]
            for _, branch, _ in self._function.branches()
        )

    @property
    def event(self) -> Event:
        """The first event that only one side reaches."""
        return self.shown[0]

    @cached_property
    def divergence(self) -> Divergence:
        """The description for the rules."""
        event = self.event
        truth = bool(self.difference.left)
        instead = self.difference.right_next if truth else self.difference.left_next
        others = instead[0] if instead else self._next_event()
        return Divergence(
            self._function,
            self.branch,
            self.test,
            truth,
            self.kind,
            event,
            others if others is not event else None,
            self._is_in_role_loop(event.block),
            self._names(),
            self.difference.is_assumed,
        )

    @property
    def _function(self) -> Function:
        return self.function_events.function

    @property
    def _graph(self) -> Graph:
        return self.function_events.function.graph

    def _next_event(self) -> Event | None:
        """The first event after the sides have met."""
        seen, queue = {self.meeting}, [self.meeting]
        while queue:
            block = queue.pop(0)
            for event in self.function_events.events(block):
                if not event.opaque and self.sides.relevant(event) is not None:
                    return event
            for target in self._graph.successors[block]:
                if target not in seen:
                    seen.add(target)
                    queue.append(target)
        return None

    def _is_in_role_loop(self, block: int) -> bool:
        """Whether the event repeats in a loop of one role that does not also contain the branch."""
        blocks, own = self._function.ir.blocks, self.block
        for index in range(len(blocks)):
            if index == own or not is_role_loop(self._function, index):
                continue
            terminator = blocks[index].terminator
            assert isinstance(terminator, ir.Branch)
            body = self._graph.reachable(terminator.when_true, index)
            if block in body and own not in body and index in self._graph.reachable(block):
                return True
        return False

    def _names(self) -> tuple[str, str]:
        """The processes that take the true and the false side."""
        branch = self.branch
        text = " ".join(self._function.module.source(branch.test.span).split())
        if repeats(branch):
            return (
                f"processes that execute a further iteration of `{text}`",
                f"processes that execute no further iteration of `{text}`",
            )
        fact = Assumption(self._function, self.block, True).fact
        if fact is not None:
            one, rest = f"rank {fact.number}", f"the ranks other than {fact.number}"
            return (one, rest) if fact.equal else (rest, one)
        return f"processes where `{text}` holds", f"processes where `{text}` does not hold"
