"""Code that ranks run one after the other: ``with main_process_first(comm):``, ``with FileLock(path):``."""

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
    r"(?:process|rank|root|master|main|zero|0)_?first|first_?(?:process|rank)|sequential|ordered|in_?turn|one_?by_?one|"
    r"(?<![bc])lock",
    re.IGNORECASE,
)

_LOCKS = re.compile(r"O_EXCL|\bflock\(|\blockf\(|fcntl\.|open\([^)\n]*[\"']x[\"']")
"""What a lock on a file is made of."""

_WAITING = frozenset({"flock", "lockf", "acquire"})


def releases_lock(function: Function) -> bool:
    """Whether a function belongs to a class or module that makes a lock of a file: the holder alone removes it."""
    return bool(_LOCKS.search(function.module.text))


def runs_in_turn(function: Function, span: ir.Span) -> bool:
    """Whether the ranks may come to a place one after the other.

    A lock is taken before it, or a context manager around it lets some ranks wait for others when they enter it.
    """
    if any(_takes_lock(function, call) and call.span < span for call in function.ir.calls()):
        return True
    return any(_orders(function, enter.context) for enter in entered_around(function.ir, span))


def _takes_lock(function: Function, call: ir.Call) -> bool:
    """Whether a call waits for a lock, or makes a file that only one rank can make."""
    dotted = ir.dotted(call.func) or ""
    if dotted == "os.open":
        return "O_EXCL" in function.module.source(call.span)
    return dotted.rpartition(".")[2] in _WAITING


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
    return releases_lock(target) or any(is_for_some(target, block) for block in _communicating(target))


def _communicating(function: Function) -> list[int]:
    """The blocks of a function that contain a communicating call."""
    spans = {bound.call.span for bound in function.operation_calls}
    return [block.index for block in function.ir.blocks if any(step.span in spans for step in block.steps)]
