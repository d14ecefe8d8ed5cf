"""Communicators that are passed by position to a function that takes them only by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_UNCHANGING = frozenset({"classmethod", "staticmethod"})


@dataclass(frozen=True, slots=True)
class Swallowed:
    """The argument that is ignored, and where the called function looks up ``keyword`` instead.

    ``is_last`` states whether it is the last positional argument.
    """

    argument: ir.Expression
    keyword: str
    called: Function
    asked: ir.Span
    is_last: bool


def swallowed_communicators(function: Function) -> Iterator[Swallowed]:
    """The communicators that are passed into the ``*args`` of a function that reads only its ``**kwargs``."""
    for bound in function.calls_by_callee.get(FunctionReference, ()):
        target = _called(function, bound)
        if target is None:
            continue
        taken = _ignored_from(target, bound)
        asked = _asked_by_name(target) if taken is not None else None
        if asked is None or any(argument.keyword == asked[0] for argument in bound.call.args):
            continue
        positional = [argument for argument in bound.call.args if argument.keyword is None]
        for argument in positional[taken:]:
            if isinstance(function.value(argument.value, function.flow.exit).entity, Communicator):
                yield Swallowed(argument.value, *asked, argument is positional[-1])


def _called(function: Function, bound: BoundCall) -> Function | None:
    """The function of the project that a call executes, if no decorator may replace it."""
    entity = bound.callee.entity
    if not isinstance(entity, FunctionReference):
        return None
    target = function.project.function(entity.path, entity.qualname)
    if target is None or any(ir.dotted(decorator) not in _UNCHANGING for decorator in target.ir.decorators):
        return None
    return target


def _ignored_from(target: Function, bound: BoundCall) -> int | None:
    """The index of the first argument that is passed into a ``*args`` that is never read."""
    star = next((parameter for parameter in target.ir.parameters if parameter.kind == "star"), None)
    if star is None or not star.name or bound.call.has_star:
        return None
    body = target.module.source(target.ir.span).partition(f"*{star.name}")[2]
    if re.search(rf"\b{re.escape(star.name)}\b", body):
        return None
    named = [parameter for parameter in target.ir.parameters if parameter.kind in ("positional", "plain")]
    entity = bound.callee.entity
    return len(named) - (isinstance(entity, FunctionReference) and entity.bound)


def _asked_by_name(target: Function) -> tuple[str, Function, ir.Span] | None:
    """The communicator that a function takes from its ``**kwargs``, and where."""
    names = next((parameter.name for parameter in target.ir.parameters if parameter.kind == "double-star"), None)
    for call in target.ir.calls():
        match call:
            case ir.Call(
                func=ir.Attribute(value=ir.Name(id=owner), attr="get" | "pop"),
                args=(ir.Argument(value=ir.Constant(value=str() as key)), *_),
            ) if owner == names and target.project.may_be_communicator(key):
                return key, target, call.span
    return None
