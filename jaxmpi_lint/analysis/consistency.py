"""Paths that a run can take: a test whose operands keep their values has one outcome wherever it is repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.assumptions import Assumption
from jaxmpi_lint.analysis.sequences import Outcomes

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.function import FunctionModel

_TRACKED = 6
"""Tests whose outcomes are remembered on a path; each of them may double the states of a comparison."""

_LASTING_CALLS = frozenset({"Get_rank", "Get_size"})


class ConsistentPaths:
    """Outcomes of tests along the paths from one branch: those known before it, and those met on the way.

    Without a branch, along those from the beginning of the function.
    """

    def __init__(self, function: FunctionModel, start: int | None = None) -> None:
        self._function = function
        self._graph = function.graph
        self._assumptions: dict[tuple[int, bool], Assumption] = {}
        self._decided: dict[tuple[int, bool, int], bool | None] = {}
        self._branches = {block.index: branch for block, branch, _ in function.branches()}
        lasts = Lasting(function)
        lasting = [index for index, branch in self._branches.items() if index != start and lasts.holds(branch.test)]
        self.known: Outcomes = frozenset(self._known_before(start, lasting)) if start is not None else frozenset()
        behind = self._graph.reachable(start or 0)
        self._tracked = frozenset(
            [index for index in lasting if index in behind and self._is_repeated(index)][:_TRACKED]
        )

    def __bool__(self) -> bool:
        """Whether there is anything to remember."""
        return bool(self.known or self._tracked)

    def decide(self, block: int, outcomes: Outcomes) -> bool | None:
        """The outcome of a branch after those of others, if they settle it."""
        for test, truth in outcomes:
            decided = self._decide(test, truth, block)
            if decided is not None:
                return decided
        return None

    def extended(self, outcomes: Outcomes, block: int, target: int) -> Outcomes:
        """The outcomes behind an edge."""
        if block not in self._tracked:
            return outcomes
        return outcomes | {(block, target == self._branches[block].when_true)}

    def _decide(self, test: int, truth: bool, block: int) -> bool | None:
        key = (test, truth, block)
        if key not in self._decided:
            if key[:2] not in self._assumptions:
                self._assumptions[key[:2]] = Assumption(self._function, test, truth)
            self._decided[key] = self._assumptions[key[:2]].decide(block)
        return self._decided[key]

    def _known_before(self, start: int, lasting: list[int]) -> list[tuple[int, bool]]:
        """Outcomes without which ``start`` is not reached."""
        found = []
        for index in lasting:
            branch = self._branches[index]
            if start in self._graph.reachable(0, index):
                continue
            taken = start in self._graph.reachable(branch.when_true, index)
            if taken != (start in self._graph.reachable(branch.when_false, index)):
                found.append((index, taken))
        return found

    def _is_repeated(self, index: int) -> bool:
        """Whether an outcome of a test decides a branch behind it."""
        behind = set().union(*(self._graph.reachable(target) for target in self._graph.successors[index]))
        return any(
            self._decide(index, truth, block) is not None
            for block in self._branches
            if block in behind
            for truth in (True, False)
        )


class Lasting:
    """Which tests of a function say the same wherever and whenever they are asked."""

    def __init__(self, function: FunctionModel) -> None:
        self._function = function

    def holds(self, test: ir.Expression) -> bool:
        """Whether nothing in the function changes what the test says."""
        for node in ir.walk(test):
            match node:
                case ir.Name(id=name) if self._writes[name] <= 1:
                    pass
                case ir.Attribute(attr=name) if not self._writes[f".{name}"]:
                    pass
                case ir.Call(func=ir.Attribute(attr=name)) if name in _LASTING_CALLS:
                    pass
                case ir.Constant() | ir.BinaryOperation() | ir.UnaryOperation():
                    pass
                case ir.BooleanOperation() | ir.Comparison():
                    pass
                case _:
                    return False
        return True

    @cached_property
    def _writes(self) -> Counter[str]:
        """How often a name gets a value, at least twice if in a loop; attributes have a dot before their name."""
        found = Counter(parameter.name for parameter in self._function.ir.parameters)
        for block in self._function.ir.blocks:
            repeated = any(
                block.index in self._function.graph.reachable(s) for s in self._function.graph.successors[block.index]
            )
            for name in written(block):
                found[name] += 2 if repeated else 1
        return found


def written(block: ir.Block) -> Iterator[str]:
    """The names that the steps of a block bind, and with a dot the attributes."""
    for step in block.steps:
        match step:
            case ir.Assign(targets=targets) | ir.Delete(targets=targets):
                pass
            case ir.AugmentedAssign(target=target):
                targets = (target,)
            case ir.Define(name=name):
                yield name
                continue
            case _:
                continue
        for target in targets:
            for node in ir.walk(target):
                if isinstance(node, ir.Name):
                    yield node.id
                elif isinstance(node, ir.Attribute):
                    yield f".{node.attr}"
