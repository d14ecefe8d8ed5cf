"""Calls that are repeated until they succeed."""

from __future__ import annotations

from collections.abc import Iterator

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.cfg.exception_flow import takes


def waits_for_file(function: ir.Function, block: int, path: ir.Expression) -> bool:
    """Whether a handler of a missing file leads back to the block, with the same path: the rank waits for the file."""
    entries = function.blocks[block].handlers
    if not entries:
        return False
    handlers = {one.entry: one for step in function.steps() if isinstance(step, ir.Try) for one in step.handlers}
    names = {name for node in ir.walk(path) if (name := ir.dotted(node)) is not None}
    return any(
        entry in handlers
        and takes(handlers[entry], "FileNotFoundError") is not False
        and not any(names & set(names_bound(step)) for step in _between(function, entry, block))
        for entry in entries
        if block in _reached(function, entry)
    )


def _between(function: ir.Function, start: int, end: int) -> Iterator[ir.Step]:
    """The steps on paths from one block to another."""
    for index in _reached(function, start):
        if index != end and end in _reached(function, index):
            yield from function.blocks[index].steps


def _reached(function: ir.Function, start: int) -> set[int]:
    seen, stack = {start}, [start]
    while stack:
        new = set(function.blocks[stack.pop()].successors) - seen
        seen |= new
        stack += new
    return seen
