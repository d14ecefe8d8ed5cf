"""Paths on which a process provably fails, because it reads a name that it has not bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, names_bound, terminator_expressions

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def fails_for_lack_of_a_name(function: Function, origin: int, start: int, end: int | None) -> bool:
    """Whether a process that continues from the end of block ``origin`` to ``start`` fails before a given place.

    The names are local to the function, and all of their bindings are on other paths.
    """
    source = function.module.source(function.ir.span)
    if function.ir.kind not in ("function", "method") or ":=" in source:
        return False
    before = _leading_to(function, origin)
    for block in function.ir.blocks:
        if block.index != start and not function.graph.always_passes(start, block.index):
            continue
        between = function.graph.reachable(start, block.index)
        for read in _read_first(block):
            early = end is None or read.span[0] < end
            if early and _is_own(function, read.id) and not _binders(function, read.id) & (before | between):
                return True
    return False


def _leading_to(function: Function, end: int) -> set[int]:
    """The blocks from which a block is reachable, also by exceptions."""
    sources: dict[int, list[int]] = {}
    for block in function.ir.blocks:
        for target in (*block.successors, *block.handlers):
            sources.setdefault(target, []).append(block.index)
    seen, stack = {end}, [end]
    while stack:
        new = set(sources.get(stack.pop(), ())) - seen
        seen |= new
        stack += new
    return seen


def _read_first(block: ir.Block) -> Iterator[ir.Name]:
    """The names that a block reads before it binds them."""
    bound: set[str] = set()
    for step in block.steps:
        yield from (name for name in _names(expressions_read(step)) if name.id not in bound)
        bound.update(names_bound(step))
    yield from (name for name in _names(terminator_expressions(block)) if name.id not in bound)


def _names(expressions: tuple[ir.Expression, ...]) -> Iterator[ir.Name]:
    """The names in expressions, except the variables of comprehensions."""
    nodes = [node for expression in expressions for node in ir.walk(expression)]
    inner = {
        target.id
        for node in nodes
        if isinstance(node, ir.Comprehension)
        for generator in node.generators
        for target in ir.walk(generator.target)
        if isinstance(target, ir.Name)
    }
    return (node for node in nodes if isinstance(node, ir.Name) and node.id not in inner)


def _is_own(function: Function, name: str) -> bool:
    """Whether a name is a variable of the function that only its own steps bind."""
    if not function.is_local(name) or any(parameter.name == name for parameter in function.ir.parameters):
        return False
    return not any(
        name in inner.nonlocals for inner in function.module.functions.values() if inner.parent == function.ir.qualname
    )


def _binders(function: Function, name: str) -> set[int]:
    return {block.index for block in function.ir.blocks if any(name in names_bound(step) for step in block.steps)}
