"""The calls of one function that may let its ranks wait for each other."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Named

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_ORDERING = re.compile(
    r"barrier|sync|wait|bcast|broadcast|gather|reduce|scatter|comm|mpi|join|lock|send|recv|receive|sleep|all_?to_?all|"
    r"pool|run|solve|step|execute|parallel|collective|distribut|pc\.|petsc|assembl|viewer|\.view$",
    re.IGNORECASE,
)
"""Words of calls that may let ranks wait for each other."""

_ASKS = re.compile(r"\.(?:(?:[gG]et_?)?(?:[rR]ank|[sS]ize)|is_?(?:root|master)(?:_?node)?)$", re.IGNORECASE)
"""Calls that ask a communicator for the place of this process in it."""

_PLAIN = re.compile(
    r"(?:numpy|math|os|shutil|json|pickle|yaml|pathlib|logging|time|sys|re|glob|copy|csv|h5py|pandas|matplotlib|"
    r"collections|itertools|string|datetime)\b(?!.*(?:mpi|wait|system))|[a-z_]+$"
)


class OrderingCalls:
    """The calls of one function that may order its ranks: what communicates, and what may do so by its name."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @cached_property
    def by_block(self) -> dict[int, list[ir.Span]]:
        """Where these calls are, by block."""
        found: dict[int, list[ir.Span]] = {}
        for block, bound in self._function.calls_by_block:
            if self._may_order(block, bound):
                found.setdefault(block, []).append(bound.call.span)
        return found

    def _may_order(self, block: int, bound: BoundCall) -> bool:
        summaries = self._function.project.summaries
        if bound.operations:
            return bound.operation_may_communicate
        if summaries.call_may_communicate(bound, self._function.module):
            return True
        if isinstance(bound.callee.entity, Named):
            return bool(_ORDERING.search(bound.callee.entity.dotted)) and not _PLAIN.match(bound.callee.entity.dotted)
        text = self._function.module.source(bound.call.func.span)
        if _ASKS.search(text) and not bound.call.args:
            return False
        env = self._function.flow.environment_before(block, None)
        entities = (self._function.value(argument.value, env).entity for argument in bound.call.args)
        return bool(_ORDERING.search(text)) or any(isinstance(entity, Communicator) for entity in entities)
