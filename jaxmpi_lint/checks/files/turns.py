"""Blocks of context managers that let the ranks run one after the other: ``with main_process_first(comm):``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference
from jaxmpi_lint.analysis.participation.abort_handlers import entered_around
from jaxmpi_lint.analysis.participation.spmd_code import is_for_some

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_IN_TURN = re.compile(
    r"(?:process|rank|root|master|main|zero|0)_?first|first_?(?:process|rank)|sequential|ordered|in_?turn|one_?by_?one",
    re.IGNORECASE,
)


def runs_in_turn(function: Function, span: ir.Span) -> bool:
    """Whether a context manager around a place may order the ranks: some of them wait for others when they enter it."""
    return any(_orders(function, enter.context) for enter in entered_around(function.ir, span))


def _orders(function: Function, context: ir.Expression) -> bool:
    if not isinstance(context, ir.Call):
        return False
    bound = function.bound(context)
    entity = bound.callee.entity if bound is not None else None
    if isinstance(entity, ClassReference):
        model = function.project.class_model(entity)
        entity = model.method("__enter__") if model is not None else None
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if target is None:
        return bool(_IN_TURN.search(function.module.source(context.func.span)))
    return any(is_for_some(target, block) for block in _communicating(target))


def _communicating(function: Function) -> list[int]:
    """The blocks of a function that contain a communicating call."""
    spans = {bound.call.span for bound in function.operation_calls}
    return [block.index for block in function.ir.blocks if any(step.span in spans for step in block.steps)]
