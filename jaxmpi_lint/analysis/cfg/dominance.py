"""Must- and may-precede relations between steps of a function, exceptions included."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

Place = tuple[int, int]  # block, index of the step


def surely_before(function: Function, first: Place, second: Place) -> bool:
    """Whether every path to ``second`` has completed the step at ``first``."""
    if first[0] == second[0]:
        return first[1] < second[1]
    return not _reached_without(function, first[0], second[0])


def on_every_path(function: Function, place: Place) -> bool:
    """Whether the function cannot return without having completed the step at ``place``."""
    return not _reached_without(function, place[0], function.graph.exit)


def possibly_before(function: Function, first: Place, second: Place) -> bool:
    """Whether some path leads from ``first`` to ``second``."""
    if first[0] == second[0] and first[1] < second[1]:
        return True
    seen: set[int] = set()
    stack = [first[0]]
    while stack:
        for target in _next(function, stack.pop()):
            if target == second[0]:
                return True
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return False


def _reached_without(function: Function, avoided: int, target: int) -> bool:
    """Whether a path reaches ``target`` without completing the block ``avoided``."""
    if target == 0:
        return True
    seen, stack = {0}, [0]
    while stack:
        block = stack.pop()
        # An exception may leave the block before its steps are done.
        targets = function.ir.blocks[block].handlers if block == avoided else _next(function, block)
        for successor in targets:
            if successor == target:
                return True
            if successor not in seen and successor != function.graph.exit:
                seen.add(successor)
                stack.append(successor)
    return False


def _next(function: Function, block: int) -> tuple[int, ...]:
    if block == function.graph.exit:
        return ()
    return (*function.graph.successors[block], *function.ir.blocks[block].handlers)
