"""The calls of one function that may let its ranks wait for each other."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, Named
from jaxmpi_lint.analysis.participation.decorating_functions import functions_around

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
        if self._has_computed_members(bound):
            return True
        text = self._function.module.source(bound.call.func.span)
        if _ASKS.search(text) and not bound.call.args:
            return False
        env = self._function.flow.environment_before(block, None)
        entities = (self._function.value(argument.value, env).entity for argument in bound.call.args)
        return bool(_ORDERING.search(text)) or any(isinstance(entity, Communicator) for entity in entities)

    def _has_computed_members(self, bound: BoundCall) -> bool:
        """Whether a method is one of a class that communicates, and adds members to itself under computed names.

        Such a property may communicate wherever the class reads it.
        """
        called = bound.callee.entity
        project = self._function.project
        method = project.function(*called.key) if isinstance(called, FunctionReference) else None
        owner = method.module.classes.get(method.ir.owner or "") if method is not None else None
        if method is None or owner is None:
            return False
        methods = [method.module_model.function(qualname) for qualname in owner.methods.values()]
        adds = any(_adds_member(call, owner.name) for one in methods for call in one.ir.calls())
        return adds and any(project.summaries.function_may_communicate(one.key) for one in methods)


def meets_in_decorator(function: Function) -> bool:
    """Whether a decorator of the project may communicate around the calls of a function, as a context manager can."""
    around = functions_around(function)
    return around is None or any(function.project.summaries.function_may_communicate(one.key) for one in around)


def _adds_member(call: ir.Call, class_name: str) -> bool:
    match call:
        case ir.Call(func=ir.Name(id="setattr"), args=(ir.Argument(value=target), ir.Argument(value=name), _)):
            is_own = ir.dotted(target) in (class_name, "cls") or isinstance(target, ir.Call)
            return is_own and not isinstance(name, ir.Constant)
    return False
