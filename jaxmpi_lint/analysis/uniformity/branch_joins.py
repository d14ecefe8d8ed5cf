"""Joins at branches: names assigned on one side of a branch, and their value where the sides meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNKNOWN,
    Literal,
    Taint,
    Uniformity,
    Value,
    is_replicated,
)
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Flow


class BranchJoins:
    """The names of one function whose value depends on a branch, by the block in which the sides meet."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._blocks = flow.function.ir.blocks
        self._names: dict[int, frozenset[str]] = {}
        self.taints: dict[int, dict[str, Taint]] = {}

    def find(self) -> bool:
        """Record names assigned on one side only, as divergent or unknown as the test is; true if any is found."""
        found = False
        for index, test in sorted(self._flow.tests.items(), key=lambda item: not item[1].content.level.diverges):
            branch = self._blocks[index].terminator
            if not isinstance(branch, ir.Branch) or test.content.level is Level.UNIFORM:
                continue
            graph = self._flow.function.graph
            join = graph.immediate_postdominator(index)
            if join >= len(self._blocks):
                continue
            region = set().union(*(graph.reachable(s, join) for s in graph.successors[index])) - {index}
            names = {name for block in region for name in self._written(block)}
            for name in sorted(names):
                found |= self._taint(name, join, region, test.content, branch)
        return found

    def _taint(self, name: str, join: int, region: set[int], test: Uniformity, branch: ir.Branch) -> bool:
        sources = [i for i in self._flow.function.graph.predecessors[join] if self._flow.entries[i] is not None]
        values = [self._value_at_end(source, name) for source in sources]
        if all(value == values[0] for value in values[1:]) or all(is_replicated(value) for value in values):
            return False
        known = self.taints.setdefault(join, {})
        if name in known:
            return False
        if any(self._flow.function.block_may_communicate(block) for block in region):
            known[name] = Taint(UNKNOWN)
            return True
        message = f"decides the value of `{name}`"
        none = sum(value.entity == Literal.of(None) for value in values)
        known[name] = Taint(test.because(self._flow.function.module, branch.test.span, message), 0 < none < len(values))
        return True

    def _written(self, block: int) -> frozenset[str]:
        """The names that a block assigns to."""
        if block not in self._names:
            self._names[block] = frozenset(self._names_assigned(block))
        return self._names[block]

    def _names_assigned(self, block: int) -> Iterator[str]:
        for step in self._blocks[block].steps:
            match step:
                case ir.Assign(targets=targets):
                    for target in targets:
                        yield from (node.id for node in ir.walk(target) if isinstance(node, ir.Name))
                case ir.AugmentedAssign(target=ir.Name(id=name)):
                    yield name

    def _value_at_end(self, block: int, name: str) -> Value:
        return self._flow.environment_before(block, None).get(name, NOTHING)
