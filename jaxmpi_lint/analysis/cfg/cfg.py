"""Reachability and post-dominance on the basic blocks of one function, as bit sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from jaxmpi_lint.analysis import ir


class FlowGraph:
    """Normal control flow of a function; ``exit`` is a virtual block after every ``return``.

    Blocks in ``dead_ends`` end every process or raise: no path continues from them, unless the exception is ``caught``
    at a different block. A block that cannot reach the exit is left out of ``successors``. The false edge of ``while
    True`` stays, as the virtual exit of the loop.
    """

    def __init__(
        self,
        blocks: Sequence[ir.Block],
        dead_ends: Iterable[int],
        leaving: Iterable[int] = (),
        caught: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        self.exit = len(blocks)
        dead, leaves = frozenset(dead_ends), frozenset(leaving)
        edges: list[tuple[int, ...]] = []
        for block in blocks:
            if block.index in caught and block.index not in dead:
                edges.append((caught[block.index],))
            elif block.index in dead or isinstance(block.terminator, ir.Raise):
                edges.append(())
            elif block.index in leaves or isinstance(block.terminator, ir.Return):
                edges.append((self.exit,))
            else:
                edges.append(block.successors)
        edges.append(())
        alive = self._reaching_exit(_reversed(edges))
        self.successors = [tuple(s for s in targets if s in alive) for targets in edges]
        self._postdominators: list[int] | None = None
        self._immediate: dict[int, int] = {}
        self._reachable: dict[tuple[int, int | None], frozenset[int]] = {}

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """The predecessors of each block."""
        return _reversed(self.successors)

    def _reaching_exit(self, predecessors: list[list[int]]) -> set[int]:
        alive, stack = {self.exit}, [self.exit]
        while stack:
            for source in predecessors[stack.pop()]:
                if source not in alive:
                    alive.add(source)
                    stack.append(source)
        return alive

    def reachable(self, start: int, stop: int | None = None) -> frozenset[int]:
        """Blocks on paths from ``start`` up to ``stop``, which is excluded."""
        key = start, stop
        if key not in self._reachable:
            self._reachable[key] = frozenset() if start == stop else self._search(start, stop)
        return self._reachable[key]

    def _search(self, start: int, stop: int | None) -> frozenset[int]:
        seen, stack = {start}, [start]
        while stack:
            for target in self.successors[stack.pop()]:
                if target not in seen and target != stop:
                    seen.add(target)
                    stack.append(target)
        return frozenset(seen)

    def immediate_postdominator(self, block: int) -> int:
        """The first block that lies on every path from ``block`` to the exit."""
        if block not in self._immediate:
            self._immediate[block] = self._nearest(block)
        return self._immediate[block]

    def _nearest(self, block: int) -> int:
        strict = self._postdominators_of(block) & ~(1 << block)
        # The immediate post-dominator is the strict post-dominator that all others post-dominate.
        candidates = [index for index in range(self.exit + 1) if strict >> index & 1]
        return max(candidates, key=lambda index: self._postdominators_of(index).bit_count(), default=self.exit)

    def always_passes(self, block: int, other: int) -> bool:
        """Whether the other block post-dominates ``block``."""
        return bool(self._postdominators_of(block) >> other & 1)

    def _postdominators_of(self, block: int) -> int:
        if self._postdominators is None:
            self._postdominators = self._solve()
        return self._postdominators[block]

    def _solve(self) -> list[int]:
        everything = (1 << (self.exit + 1)) - 1
        sets = [everything] * self.exit + [1 << self.exit]
        order = self._postorder()
        changed = True
        while changed:
            changed = False
            for block in order:
                meet = everything
                for target in self.successors[block]:
                    meet &= sets[target]
                new = meet | 1 << block if self.successors[block] else 1 << block | 1 << self.exit
                if new != sets[block]:
                    sets[block] = new
                    changed = True
        return sets

    def _postorder(self) -> list[int]:
        """Every block, successors first where there is no loop."""
        seen: set[int] = set()
        order: list[int] = []
        for root in range(self.exit):
            stack: list[tuple[int, int]] = [(root, 0)]
            while stack:
                block, index = stack.pop()
                if index == 0:
                    if block in seen or block == self.exit:
                        continue
                    seen.add(block)
                if index < len(self.successors[block]):
                    stack.append((block, index + 1))
                    stack.append((self.successors[block][index], 0))
                else:
                    order.append(block)
        return order


def _reversed(edges: Sequence[tuple[int, ...]]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in edges]
    for source, targets in enumerate(edges):
        for target in dict.fromkeys(targets):
            found[target].append(source)
    return found
