"""Sub-communicators created by ``Split``, and the processes of one that a test divides.

Whether a test divides a sub-communicator depends on both the test and the colour: ``rank % 2`` divides those of
``Split(rank > 0)``, but not those of ``Split(rank % 2)``. Both are computed for each rank of a few small worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import repeats, without_not
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import definitions, visible_definitions
from jaxmpi_lint.analysis.conditions.guards import Guard, guards
from jaxmpi_lint.analysis.conditions.world_sizes import possible_sizes
from jaxmpi_lint.analysis.lattice.lattice import Communicator
from jaxmpi_lint.analysis.participation.common_reachability import CommonReachability
from jaxmpi_lint.analysis.small_worlds.counters import bindings, constant_of
from jaxmpi_lint.analysis.small_worlds.one_rank import Member, OneRank
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_SIZES = (2, 3, 4, 5)

Groups = frozenset[str]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two processes of one piece of ``whole``, of which a test holds for the first only."""

    whole: Communicator
    holds: Member
    fails: Member


@dataclass(frozen=True, slots=True)
class Split:
    """A communicator that was split, and the colour of every rank in worlds of a few sizes."""

    whole: Communicator
    colours: dict[int, list[int]]

    @classmethod
    def nothing(cls, whole: Communicator) -> Split:
        """All processes in one piece."""
        return cls(whole, {size: [0] * size for size in _SIZES})


class Pieces:
    """The pieces that one function makes."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def pairs(self, split: Split, block: int, branch: ir.Branch, test: ir.Expression | None = None) -> list[Pair]:
        """Processes of a piece that leave a branch differently; ``test`` may be a part of its test."""
        found: list[Pair] = []
        for size in sorted(split.colours.keys() & possible_sizes(self._function, block)):
            colours = split.colours[size]
            members = [Member(rank, size, split.whole.groups) for rank in range(size)]
            if self._passes_guards(members[0], block, differing=False):
                found += [
                    Pair(split.whole, one, other)
                    for one in members
                    for other in members
                    if colours[one.rank] == colours[other.rank] and self._parts(block, branch, test, one, other)
                ]
        return found

    def come_to(self, pair: Pair, block: int) -> bool:
        """Whether no test on ranks keeps one of two processes from a block."""
        return all(self._passes_guards(member, block, differing=True) for member in (pair.holds, pair.fails))

    def _passes_guards(self, member: Member, block: int, differing: bool) -> bool:
        """Whether no test that differs between processes, or none that does not, keeps a process from a block."""
        return all(
            self._outcome(member, guard.block, guard.branch.test) in (None, guard.truth)
            for guard in self._guards(block)
            if guard.test.content.level.diverges == differing and not repeats(guard.branch)
        )

    def _guards(self, block: int) -> Iterator[Guard]:
        """The tests on every path to a block, except those of loops that end before it."""
        for guard in guards(self._function, block):
            if (guard.truth or not repeats(guard.branch)) and block not in self._function.graph.reachable(
                0, guard.block
            ):
                yield guard

    def decision(self, member: Member) -> Callable[[int, ir.Expression], bool | None]:
        """The outcomes of tests on one rank, each computed once."""
        known: dict[tuple[int, ir.Span], bool | None] = {}

        def decide(block: int, test: ir.Expression) -> bool | None:
            key = block, test.span
            if key not in known:
                known[key] = self._outcome(member, block, test)
            return known[key]

        return decide

    def _outcome(self, member: Member, block: int, test: ir.Expression) -> bool | None:
        """What a test at the end of a block says on one rank, if that follows from its rank."""
        env = self._function.flow.environment_before(block, None)
        found = OneRank(member).decide(self._function, test, env)
        if found is None and isinstance(test, ir.Name):
            found = self._flag(member, test.id)
        return found if found is not None else self._has_result(member, test, env)

    def _flag(self, member: Member, name: str) -> bool | None:
        """The value of a name that is assigned one number, and a different one under a test of ranks."""
        bound = list(bindings(self._function, name)) if name not in self._function.bound_otherwise else []
        values = [constant_of(step) for _, step in bound]
        if len(bound) != 2 or None in values:
            return None
        (first, _), (second, _) = bound
        if any(guard.test.content.level is not Level.UNIFORM for guard in self._guards(first)):
            return None
        tests = [(self._outcome(member, g.block, g.branch.test), g.truth) for g in self._guards(second)]
        if any(outcome is None for outcome, _ in tests) or self._function.loops_around(bound[1][1].span):
            return None
        return bool(values[1] if all(outcome == truth for outcome, truth in tests) else values[0])

    def leaves(self, member: Member, block: int, test: ir.Expression) -> bool | None:
        """The same, in those runs in which the parts that are equal everywhere leave it to the others."""
        inner, env = without_not(test), self._function.flow.environment_before(block, None)
        if isinstance(inner, ir.Name):
            found = definitions(self._function, inner.id)
            inner = without_not(found[0]) if found is not None and len(found) == 1 and test is inner else inner
        if not isinstance(inner, ir.BooleanOperation):
            return self._outcome(member, block, test)
        levels = [(part, self._function.value(part, env).content.level) for part in inner.operands]
        outcomes = [self.leaves(member, block, part) for part, level in levels if level.diverges]
        if None in outcomes:
            return None
        combined = any(outcomes) if inner.operator == "or" else all(outcomes)
        return combined == ir.strip_not(test)[1]

    def _parts(self, block: int, branch: ir.Branch, test: ir.Expression | None, one: Member, other: Member) -> bool:
        if one.rank == other.rank:
            return False
        if repeats(branch) and isinstance(branch.test, ir.Element):
            more, less = self.passes(one, block, branch), self.passes(other, block, branch)
            return more is not None and less is not None and more > less
        test = test or branch.test
        return self.leaves(one, block, test) is True and self.leaves(other, block, test) is False

    def passes(self, member: Member, block: int, branch: ir.Branch) -> int | None:
        """The trip count of a loop over ``range(count)`` on one rank, if it follows from the rank."""
        match branch.test:
            case ir.Element(iterable=ir.Call(func=ir.Name(id="range"), args=(ir.Argument(value=count),))):
                env = self._function.flow.environment_before(block, None)
                if self._function.value(count, env).content.level is Level.RANK:
                    number = OneRank(member).number(self._function, count, env)
                    return None if number is None else max(number, 0)
        return None

    def _has_result(self, member: Member, test: ir.Expression, env: Environment) -> bool | None:
        """The outcome of ``result is None`` where only the root of a collective has a result."""
        test, truth = ir.strip_not(test)
        match test:
            case ir.Comparison(
                operands=(ir.Name(id=name), ir.Constant(value=None)), operators=("is" | "is not" as sign,)
            ):
                root = self._root_of(name, member, env)
                return None if root is None else ((root == member.rank) == (sign == "is not")) == truth
        return None

    def _root_of(self, name: str, member: Member, env: Environment) -> int | None:
        """The root of the collective that a name holds the result of."""
        found = visible_definitions(self._function, name)
        calls = [value for value in found[1] if isinstance(value, ir.Call)] if found is not None else []
        bound = self._function.bound(calls[0]) if len(calls) == 1 and found is not None and len(found[1]) == 1 else None
        if bound is None or bound.operation is None or bound.operation.result is not Result.ROOT:
            return None
        if bound.communicator is None or bound.communicator.groups != member.groups:
            return None
        root = bound.argument(bound.operation.root)
        return OneRank(member).number(self._function, root, env) if root is not None else 0

    # --- what was split ---

    @cached_property
    def splits(self) -> dict[Groups, Split]:
        """What the groups of the function's pieces were split from."""
        if ".Split(" not in self._function.module.source(self._function.ir.span):
            return {}
        found: dict[Groups, Split] = {}
        for block, bound, env in operation_steps(self._function, _is_split):
            made = self._function.value(bound.call, env).entity
            split = self._split(bound, block.index, env)
            if split is not None and isinstance(made, Communicator) and made.groups != split.whole.groups:
                found[made.groups] = split
        return found

    def _split(self, bound: BoundCall, block: int, env: Environment) -> Split | None:
        """What a call splits, if all processes of the communicator make it and colours follow from ranks."""
        colour, whole = bound.argument("color"), bound.communicator
        if colour is None or whole is None or whole.is_self or not self._is_made_by_all(block):
            return None
        colours: dict[int, list[int]] = {}
        for size in _SIZES:
            members = (Member(rank, size, whole.groups) for rank in range(size))
            numbers = [OneRank(member).number(self._function, colour, env) for member in members]
            known = [number for number in numbers if number is not None]
            if len(known) == size:
                colours[size] = known
        return Split(whole, colours)

    def _is_made_by_all(self, block: int) -> bool:
        if any(guard.test.content.level.diverges for guard in self._guards(block)):
            return False
        alone = self._function.module.text.count(".Split(") == 1
        return alone or self._function.project.get(CommonReachability).reached_by_all(self._function, block)


def _is_split(bound: BoundCall) -> bool:
    return bound.operation is not None and bound.operation.method == "Split"
