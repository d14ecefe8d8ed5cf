"""Sides of a branch that end the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.model.call_graph import CallSites

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.branch_sides import FunctionEvents


def ends_program(function_events: FunctionEvents, start: int) -> bool:
    """Whether every path from a block ends the process deliberately."""
    function, graph = function_events.function, function_events.function.graph
    seen, stack = {start}, [start]
    while stack:
        block = stack.pop()
        if block in function.leaving or (block != graph.exit and _leaves_main(function_events, block, seen)):
            continue
        if block == graph.exit:
            return False
        for target in graph.successors[block]:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return True


def _leaves_main(function_events: FunctionEvents, block: int, passed: set[int]) -> bool:
    """Whether a block returns from the function that is the program, with no communication on the way."""
    function = function_events.function
    terminator = function.ir.blocks[block].terminator
    returns = isinstance(terminator, ir.Return) and function.module.source(terminator.span)[:6] == "return"
    if not returns or any(function_events.events(index) for index in passed):
        return False
    sites = function.project.get(CallSites).of(function)
    return bool(sites) and all(site.caller is function.module_model.body for site in sites)
