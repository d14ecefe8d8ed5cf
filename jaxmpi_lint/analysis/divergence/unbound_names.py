"""Paths on which a process provably fails, because it reads a name that it has not bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import (
    always_evaluated,
    expressions_read,
    names_bound,
    terminator_expressions,
)
from jaxmpi_lint.analysis.divergence.path_consistency import ConsistentPaths

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def fails_for_lack_of_a_name(function: Function, origin: int, start: int, end: int | None) -> bool:
    """Whether a process that continues from the end of block ``origin`` to ``start`` fails before a given place.

    The names are local to the function, and all of their bindings are on other paths.
    """
    source = function.module.source(function.ir.span)
    if function.ir.kind not in ("function", "method") or ":=" in source:
        return False
    paths = PathsTo(function, origin)
    for block in function.ir.blocks:
        if block.index != start and not function.graph.always_passes(start, block.index):
            continue
        between = function.graph.reachable(start, block.index)
        for read in _read_first(block):
            early = end is None or read.span[0] < end
            if early and _is_own(function, read.id) and paths.leave_unbound(read.id, between):
                return True
    return False


class PathsTo:
    """The paths from the start of a function to a block, also by exceptions; a test that is repeated has one outcome.

    ``blocks`` are those from which the block is reachable.
    """

    def __init__(self, function: Function, end: int) -> None:
        self._function = function
        consistent = ConsistentPaths(function, end)
        self._targets = {
            block.index: {*_successors(block, consistent), *block.handlers} for block in function.ir.blocks
        }
        sources: dict[int, set[int]] = {}
        for block, targets in self._targets.items():
            for target in targets:
                sources.setdefault(target, set()).add(block)
        self.blocks = _closure(sources, {end})

    def leave_unbound(self, name: str, then: frozenset[int]) -> bool:
        """Whether a name is unbound at the end of all paths, and on further blocks.

        A path on which it is read while it is unbound ends there.
        """
        binders = {
            block.index for block in self._function.ir.blocks if any(name in names_bound(s) for s in block.steps)
        }
        if binders & then:
            return False
        failing = {
            block.index
            for block in self._function.ir.blocks
            if not block.handlers and any(read.id == name for read in _read_first(block))
        }
        going_on = {block: targets for block, targets in self._targets.items() if block not in failing | binders}
        return not (_closure(going_on, {0}) & binders - failing) & self.blocks


def _closure(edges: Mapping[int, Iterable[int]], starts: set[int]) -> set[int]:
    """What edges lead to, the starts included."""
    seen, stack = set(starts), list(starts)
    while stack:
        new = set(edges.get(stack.pop(), ())) - seen
        seen |= new
        stack += new
    return seen


def _successors(block: ir.Block, paths: ConsistentPaths) -> Iterable[int]:
    """Where a block leads if what is known at the end of the paths holds."""
    branch = block.terminator
    taken = paths.decide(block.index, paths.known) if isinstance(branch, ir.Branch) and paths.known else None
    if taken is None or not isinstance(branch, ir.Branch):
        return block.successors
    return (branch.when_true if taken else branch.when_false,)


def _read_first(block: ir.Block) -> Iterator[ir.Name]:
    """The names that a block reads, whenever it runs, before it binds them."""
    bound: set[str] = set()
    for step in block.steps:
        yield from (name for name in _names(expressions_read(step)) if name.id not in bound)
        bound.update(names_bound(step))
    yield from (name for name in _names(terminator_expressions(block)) if name.id not in bound)


def _names(expressions: tuple[ir.Expression, ...]) -> Iterator[ir.Name]:
    read = (node for expression in expressions for node in always_evaluated(expression))
    return (node for node in read if isinstance(node, ir.Name))


def _is_own(function: Function, name: str) -> bool:
    """Whether a name is a variable of the function that only its own steps bind."""
    if not function.is_local(name) or any(parameter.name == name for parameter in function.ir.parameters):
        return False
    return not any(
        name in inner.nonlocals for inner in function.module.functions.values() if inner.parent == function.ir.qualname
    )
