"""Whether communication lies between two uses of a file on the paths of the ranks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import Guard, exclude_each_other, guards
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.participation.ordering_calls import OrderingCalls, meets_in_decorator
from jaxmpi_lint.analysis.participation.receiving_loops import receiving_loops
from jaxmpi_lint.checks.files.effects import FileEffect
from jaxmpi_lint.checks.files.evidence import is_rank_test
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class Ordering:
    """The calls of one function that may order its ranks."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @property
    def _calls(self) -> dict[int, list[ir.Span]]:
        return self._function.get(OrderingCalls).by_block

    def leaves_open(self, change: FileEffect, guard: Guard, use: FileEffect) -> bool:
        """Whether ranks reach the later one of the two without communication after the earlier one."""
        if not all(_is_open(effect, effect.span < other.span) for effect, other in ((change, use), (use, change))):
            return False
        own = {change.span, use.span}
        if self._is_parted(change, use, own):
            return False
        if use.span < change.span:
            return self._passes(use.block, use.span[1], change.block, change.span[0], own)
        if change.frame is None or self._is_here(change, guard):
            other = guard.branch.when_false if guard.truth else guard.branch.when_true
            role = Assumption(self._function, guard.block, not guard.truth)
            return self._passes(other, -1, use.block, use.span[0], own, role)
        return self._passes(change.block, change.span[1], use.block, use.span[0], own)

    def begins_open(self, block: int, span: ir.Span) -> bool:
        """Whether some path from the beginning of the function to a call meets no call that may order the ranks."""
        return self._passes(0, -1, block, span[0], {span}) and not self._is_ordered(block, 0, span[0], {span})

    def ends_open(self, block: int, span: ir.Span) -> bool:
        """Whether some path from a call to the end of the function meets no such call."""
        end = self._function.ir.span[1]
        return self._passes(block, span[1], self._function.graph.exit, 0, {span}) and not self._is_ordered(
            block, span[1], end, {span}
        )

    def is_open_between(self, one: FileEffect, other: FileEffect, test: int | None = None) -> bool:
        """Whether a rank reaches the second use from the first one without communication.

        ``test`` is the block of a branch of which only the ranks on one side communicate: a rank on the other side does
        not wait there. If the second use is on that side as well, all ranks have tested before it.
        """
        if not (_is_open(one, True) and _is_open(other, False)):
            return False
        own = {one.span, other.span}
        if self._is_parted(one, other, own, test):
            return False
        return self._passes(one.block, one.span[1], other.block, other.span[0], own)

    def _is_parted(self, one: FileEffect, other: FileEffect, own: set[ir.Span], test: int | None = None) -> bool:
        """Whether a call between the two orders the ranks in parallel runs, where the program asks if it is one."""
        first, last = sorted((one.span, other.span))
        side = next((guard.truth for guard in guards(self._function, other.block) if guard.block == test), None)
        return self._is_ordered(one.block, first[1], last[0], own, (test, side))

    def _is_ordered(
        self, block: int, start: int, end: int, own: set[ir.Span], test: tuple[int | None, bool | None] = (None, None)
    ) -> bool:
        """Whether a call in a part of the text orders the ranks where the tests around it hold, as in parallel runs.

        Not on one side of ``test``, a block with a branch, unless it is this side.
        """
        return any(
            start <= span[0] < end and span not in own and not self._is_of_role(other, test)
            for other, spans in self._calls.items()
            if not exclude_each_other(self._function, block, other)
            for span in spans
        )

    def _is_of_role(self, block: int, test: tuple[int | None, bool | None]) -> bool:
        return any(
            (guard.block == test[0] and guard.truth is not test[1])
            or guard.test.content.level is Level.RANK
            or is_rank_test(self._function, guard.branch.test)
            for guard in guards(self._function, block)
        )

    def _is_here(self, change: FileEffect, guard: Guard) -> bool:
        """Whether the test of the rank is one of this function, not of a callee."""
        terminator = (
            self._function.ir.blocks[guard.block].terminator if guard.block < len(self._function.ir.blocks) else None
        )
        return terminator is guard.branch

    def _passes(
        self, start: int, after: int, end: int, before: int, own: set[ir.Span], role: Assumption | None = None
    ) -> bool:
        """Whether some path from one place to the other meets no call that may order the ranks.

        ``role``: what is known about the ranks on the path, which decides later tests.
        """
        if start == end and after <= before:
            return not self._orders(start, after, before, own)
        if self._orders(start, after, None, own):
            return False
        seen, pending = {start}, [start]
        while pending:
            for target in self._next(pending.pop(), role):
                if target == end and not self._orders(end, -1, before, own):
                    return True
                if target not in seen and not self._orders(target, -1, None, own):
                    seen.add(target)
                    pending.append(target)
        return False

    def _next(self, block: int, role: Assumption | None) -> Iterable[int]:
        """The blocks to which ranks of a role go from a block."""
        terminator = self._function.ir.blocks[block].terminator if block < len(self._function.ir.blocks) else None
        if role is None or not isinstance(terminator, ir.Branch):
            return self._function.graph.successors[block]
        outcome = role.decide(block)
        if outcome is None:
            return self._function.graph.successors[block]
        return [terminator.when_true if outcome else terminator.when_false]

    def _orders(self, block: int, after: int, before: int | None, own: set[ir.Span]) -> bool:
        if before is None and block in self._receiving_loops:
            return True
        spans = self._calls.get(block, ())
        return any(one not in own and one[0] >= after and (before is None or one[0] < before) for one in spans)

    @cached_property
    def _receiving_loops(self) -> frozenset[int]:
        return receiving_loops(self._function)


def _is_open(effect: FileEffect, is_first: bool) -> bool:
    """Whether no communication in the called functions lies after the first use, or before the second one."""
    for function, block, frame in effect.places[1:]:
        if meets_in_decorator(function):
            return False
        calls = function.get(Ordering)
        index = next(number for number, place in enumerate(effect.places) if place == (function, block, frame))
        following = effect.places[index + 1] if index + 1 < len(effect.places) else None
        span = following[2].call.span if following and following[2] is not None else effect.use.call.span
        if is_first and not calls.ends_open(block, span):
            return False
        if not is_first and not calls.begins_open(block, span):
            return False
    return True
