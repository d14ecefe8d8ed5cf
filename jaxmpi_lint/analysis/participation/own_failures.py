"""Computations that fail for the data of one process: divisions, elements, solvers whose operands differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import RankOf, Value
from jaxmpi_lint.analysis.participation.abort_handlers import entered_around
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.local_failures import (
    HARMLESS,
    OWN_ELEMENTS,
    OWN_FAILURES,
    OWN_OPERATORS,
    TRAPPED,
    TRAPS,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_DIVERGENT = (Level.RANK, Level.LOCAL)


def own_failures(function: Function, block: ir.Block) -> Iterator[tuple[ir.Expression, tuple[str, ...]]]:
    """The computations of a block whose operands differ between processes, with their exceptions."""
    env = function.flow.environment_before(block.index, None)
    seen: set[ir.Span] = set()
    for expression in _read(block):
        for node in ir.walk(expression):
            names = _failures(function, node, env) if node.span not in seen else ()
            if names:
                seen.add(node.span)
                yield node, names


def _read(block: ir.Block) -> Iterator[ir.Expression]:
    for step in block.steps:
        yield from expressions_read(step)
    yield from terminator_expressions(block)


def trapped_failures(function: Function, bound: BoundCall) -> tuple[str, ...]:
    """The exceptions of a call whose errors of floating-point arithmetic a ``with`` statement around it traps."""
    if bound.operations or (bound.dotted or "").removeprefix("builtins.") in HARMLESS:
        return ()
    for step in entered_around(function.ir, bound.call.span):
        if step.context.span[0] <= bound.call.span[0] < step.context.span[1]:
            continue
        manager = function.bound(step.context) if isinstance(step.context, ir.Call) else None
        if manager is not None and manager.dotted in TRAPS and any(map(_traps, manager.call.args)):
            return TRAPS[manager.dotted]
    return ()


def _traps(argument: ir.Argument) -> bool:
    return isinstance(argument.value, ir.Constant) and argument.value.value == TRAPPED


def _failures(function: Function, node: ir.Expression, env: Environment) -> tuple[str, ...]:
    match node:
        case ir.BinaryOperation(operator=operator, right=right) if operator in OWN_OPERATORS:
            return OWN_OPERATORS[operator] if _differs(function.value(right, env)) else ()
        case ir.Subscript(value=held, index=index) if not isinstance(index, ir.Slice):
            missing = _has_own_length(function.value(held, env)) or _differs(function.value(index, env))
            return OWN_ELEMENTS if missing else ()
        case ir.Call(args=arguments):
            bound = function.bound(node)
            names = OWN_FAILURES.get((bound.dotted or "").removeprefix("builtins."), ()) if bound is not None else ()
            values = [function.value(argument.value, env) for argument in arguments] if names else []
            return names if any(_differs(value) or _has_own_length(value) for value in values) else ()
    return ()


def _differs(value: Value) -> bool:
    return value.content.level in _DIVERGENT


def _has_own_length(value: Value) -> bool:
    return value.structure.level in _DIVERGENT and not isinstance(value.entity, RankOf)
