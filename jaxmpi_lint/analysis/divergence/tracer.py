"""Traceable divergence analysis: the branches that correspond to a row of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.divergences import Divergences
from jaxmpi_lint.analysis.divergence.exemptions import EXEMPTIONS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Event, Function, Module
    from jaxmpi_lint.analysis.lattice.trace import Trace

Found = list[tuple["Function", ir.Span]]


class DivergenceTracer:
    """The branches of a file, for the rules about divergence."""

    exemptions = EXEMPTIONS

    def record(self, function: Function, trace: Trace) -> None:
        """Run the analysis on a function."""
        function.project.get(Divergences).traced(function, trace)

    def subjects(self, module: Module, row: int) -> tuple[Found, str]:
        """The branches of a row; otherwise those that control its communication; otherwise the statement around it."""
        branches = [(function, branch.span) for function, branch in _branches(module) if _is_at(module, branch, row)]
        if branches:
            return branches, ""
        calls = [(function, event) for function in module.functions() for event in _events_at(function, row)]
        deciding = [(function, branch.span) for function, event in calls for branch in _deciding(function, event)]
        if deciding:
            return list(dict.fromkeys(deciding)), ""
        if calls:
            return [], f"no branch decides whether `{_name(*calls[0])}` on line {row} is called: every path reaches it"
        around = list(_around(module, row))
        if around:
            return around[:1], ""
        return [], _why_nothing(module, row)


def _why_nothing(module: Module, row: int) -> str:
    for function in module.ir.functions.values():
        first, last = (module.ir.position(offset)[0] for offset in function.span)
        if function.is_too_large and first <= row <= last:
            return f"`{function.qualname}` is too large to be analysed"
        for block in function.blocks:
            if isinstance(block.terminator, ir.Branch) and _is_at(module, block.terminator, row):
                return f"no path through `{function.qualname}` reaches the branch on line {row}"
    return f"line {row} contains no branch, and no call that is known to communicate"


def _branches(module: Module) -> Iterator[tuple[Function, ir.Branch]]:
    for function in module.functions():
        for _, branch, _ in function.branches():
            yield function, branch


def _is_at(module: Module, branch: ir.Branch, row: int) -> bool:
    return _row(module, branch.span[0]) <= row <= _row(module, max(branch.span[0], branch.span[1] - 1))


def _row(module: Module, offset: int) -> int:
    return module.ir.position(offset)[0]


def _events_at(function: Function, row: int) -> Iterator[Event]:
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None:
            for event in function.block_events(block.index):
                first, last = (function.module.position(offset)[0] for offset in event.span)
                if first <= row <= last:
                    yield event


def _deciding(function: Function, event: Event) -> Iterator[ir.Branch]:
    """The branches with one side that reaches an event before the sides meet and one that does not."""
    graph = function.graph
    for block, branch, _ in function.branches():
        meeting = graph.immediate_postdominator(block.index)
        yes, no = (event.block in graph.reachable(start, meeting) for start in (branch.when_true, branch.when_false))
        if event.block != meeting and yes != no:
            yield branch


def _around(module: Module, row: int) -> Iterator[tuple[Function, ir.Span]]:
    """The branches whose statement contains a row, from the innermost outwards."""
    found = [
        (branch.extent[1] - branch.extent[0], function, branch.span)
        for function, branch in _branches(module)
        if _row(module, branch.extent[0]) <= row <= _row(module, branch.extent[1] - 1)
    ]
    for _, function, span in sorted(found, key=lambda entry: entry[0]):
        yield function, span


def _name(function: Function, event: Event) -> str:
    return " ".join(function.module.source(event.span).partition("(")[0].split())
