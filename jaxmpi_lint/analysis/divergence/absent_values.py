"""Paths on which a process provably fails, because it uses None as something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import (
    always_evaluated,
    expressions_read,
    names_bound,
    place_of,
    places_stored,
    terminator_expressions,
)
from jaxmpi_lint.analysis.conditions.guards import guards_of_all_ways
from jaxmpi_lint.analysis.divergence.unbound_names import PathsTo

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_NONE = {"is": True, "==": True, "is not": False, "!=": False}
_SIZED = frozenset({"enumerate", "iter", "len", "list", "max", "min", "next", "sorted", "sum", "tuple", "zip"})


def fails_for_lack_of_a_value(function: Function, origin: int, start: int, end: int | None) -> bool:
    """Whether a process that continues from the end of block ``origin`` to ``start`` fails before a given place.

    A test before ``origin`` says that a variable is None, and nothing changes it before the process uses it as
    something else.
    """
    paths = PathsTo(function, origin)
    for guard in guards_of_all_ways(function, origin):
        arm = guard.branch.when_true if guard.truth else guard.branch.when_false
        for place in _absent(guard.branch.test, guard.truth):
            if not function.is_local(place.partition(".")[0]):
                continue
            before = function.graph.reachable(arm, guard.block) & paths.blocks | {origin}
            if not _changed(function, before, place) and _is_used(function, start, end, place):
                return True
    return False


def _absent(test: ir.Expression, truth: bool) -> Iterator[str]:
    """The variables that are None where a test has an outcome."""
    test, truth = ir.strip_not(test, truth)
    match test:
        case ir.BooleanOperation(operator=operator, operands=operands) if (operator == "and") == truth:
            for operand in operands:
                yield from _absent(operand, truth)
        case ir.Comparison(operators=(operator,), operands=(held, other)) if ir.is_none(other):
            name = ir.dotted(held)
            if name is not None and _NONE.get(operator) is truth:
                yield name


def _is_used(function: Function, start: int, end: int | None, place: str) -> bool:
    """Whether all paths from a block come to a use that fails, with nothing before it that changes the variable."""
    for block in function.ir.blocks:
        if block.handlers or (block.index != start and not function.graph.always_passes(start, block.index)):
            continue
        if _changed(function, function.graph.reachable(start, block.index) - {block.index}, place):
            continue
        reads = [read for read in _read_first(block, place) if end is None or read.span[0] < end]
        if any(_fails(part, place) for read in reads for part in always_evaluated(read)):
            return True
    return False


def _read_first(block: ir.Block, place: str) -> Iterator[ir.Expression]:
    """What a block reads before it may change a variable."""
    for step in block.steps:
        yield from expressions_read(step)
        if _changes(step, place):
            return
    yield from terminator_expressions(block)


def _changed(function: Function, blocks: Iterable[int], place: str) -> bool:
    wanted = set(blocks)
    return any(_changes(step, place) for block in function.ir.blocks if block.index in wanted for step in block.steps)


def _changes(step: ir.Step, place: str) -> bool:
    """Whether a step may give the variable a different value; a call may change the attributes of what it is given."""
    holders = {place, *_holders(place)}
    match step:
        case ir.Assign(targets=targets) | ir.Delete(targets=targets):
            stored = {place for target in targets for place in places_stored(target)}
        case ir.AugmentedAssign(target=target):
            stored = {place_of(target)}
        case _:
            stored = set(names_bound(step))
    if stored & holders:
        return True
    return any(
        isinstance(node, ir.Call) and any(_given(part) & _holders(place) for part in ir.children(node))
        for read in expressions_read(step)
        for node in ir.walk(read)
    )


def _holders(place: str) -> set[str]:
    """The objects of which an attribute is the variable: ``a`` and ``a.b`` for ``a.b.c``."""
    parts = place.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts))}


def _given(part: ir.Expression) -> set[str]:
    """The objects that a call gets: its arguments, and the object of a method."""
    held = part.value if isinstance(part, ir.Attribute) else part
    name = ir.dotted(held)
    return set() if name is None else {name}


def _fails(use: ir.Expression, place: str) -> bool:
    """Whether an expression fails because a variable is None."""
    match use:
        case ir.Attribute(value=held, attr=name):
            return ir.dotted(held) == place and not name.startswith("__")
        case ir.Subscript(value=held) | ir.Element(iterable=held):
            return ir.dotted(held) == place
        case ir.Comprehension(generators=generators):
            return ir.dotted(generators[0].iterable) == place
        case ir.Call(func=ir.Name(id=name), args=(first, *_)) if name in _SIZED:
            return ir.dotted(first.value) == place
        case ir.Call(func=called):
            return ir.dotted(called) == place
        case _:
            return False
