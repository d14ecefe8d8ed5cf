"""The functions that may hold local data of a division: computed once, so that the others need not be analysed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.shares import Shares
from jaxmpi_lint.analysis.cfg.def_use import reads_anywhere
from jaxmpi_lint.analysis.model.call_graph import CallSites

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

# What ``[rank::size]`` and ``.shard(size, rank)`` have in their text. Each starts with a literal, which the regular
# expression engine searches for fast.
_DIVISIONS = (
    re.compile(r":(?:\s|\\|#[^\r\n]*[\r\n])*:"),
    re.compile(r"shard(?<!\wshard)(?:[\s\\)]|#[^\r\n]*[\r\n])*\("),
)


def share_holders(project: Program) -> set[tuple[str, str]]:
    """Those that divide data themselves, and those that may get a share from one of them; not as an argument."""
    pending = [
        function
        for module in project.modules()
        if _may_divide(module.ir.text)
        for function in module.functions()
        if _divides(function)
    ]
    found = {function.key for function in pending}
    while pending:
        for other in _sharing(pending.pop()):
            if other.key not in found:
                found.add(other.key)
                pending.append(other)
    return found


def _may_divide(text: str) -> bool:
    return any(pattern.search(text) for pattern in _DIVISIONS)


def _divides(function: Function) -> bool:
    if not _may_divide(function.module.source(function.ir.span)):
        return False
    nodes = (node for expression in reads_anywhere(function.ir) for node in ir.walk(expression))
    return any(map(Shares(function).picks_by_rank, nodes))


def _sharing(function: Function) -> Iterator[Function]:
    """The functions that call one, see its variables, or have their fields from the same class."""
    yield from (site.caller for site in function.project.get(CallSites).of(function))
    for other in function.module_model.functions():
        same_class = function.ir.owner is not None and other.ir.owner == function.ir.owner
        if same_class or function.ir.kind == "module":
            yield other
    yield from function.inner_functions()
