"""Exceptions that are raised and surely taken by a handler of the same function: control goes on there."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exception_flow import builtin_exception


def caught_raises(function: ir.Function) -> dict[int, int]:
    """The blocks that end in such a ``raise``, and those that their handlers start with."""
    raising = [(b, b.terminator) for b in function.blocks if b.handlers and isinstance(b.terminator, ir.Raise)]
    tries = (step for step in function.steps() if isinstance(step, ir.Try)) if raising else ()
    handlers = {one.entry: one for step in tries for one in step.handlers}
    found: dict[int, int] = {}
    for block, end in raising if handlers else ():
        entry = _taken_at(block, end.value, handlers)
        if entry is not None:
            found[block.index] = entry
    return found


def _taken_at(block: ir.Block, raised: ir.Expression | None, handlers: dict[int, ir.Handler]) -> int | None:
    name = ir.dotted(raised.func if isinstance(raised, ir.Call) else raised) if raised is not None else None
    if name is None:
        return None
    for entry in block.handlers:
        taken = _takes(handlers[entry], name) if entry in handlers else None
        if taken is not False:
            return entry if taken else None
    return None


def _takes(handler: ir.Handler, name: str) -> bool | None:
    """Whether a handler takes an exception class that is called by a name; None if that is not known."""
    if handler.kind is None:
        return True
    kinds = handler.kind.elements if isinstance(handler.kind, ir.Collection) else (handler.kind,)
    names = [ir.dotted(kind) for kind in kinds]
    if name in names or "BaseException" in names:
        return True
    raised = builtin_exception(name)
    known = [builtin_exception(kind) for kind in names if kind is not None]
    if raised is not None and any(kind is not None and kind.name in raised.ancestry for kind in known):
        return True
    return None if raised is None or None in known or len(known) < len(names) else False
