"""Loops whose trip count depends on the rank, and the cases in which this is correct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions, visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, RankOf, SizeOf
from jaxmpi_lint.analysis.lattice.value_queries import is_result_of
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Event, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


_ALL_DEVICES = "jax.device_count"  # each process has the same number of them


def compensated_elsewhere(function: Function, event: Event) -> bool:
    """Whether the loops of a file around such communication may together have equal trip counts on all ranks.

    An example is ``range(rank)`` and later, perhaps in a different method, ``range(size - rank)``.
    """
    if event.span not in {found.span for found, _, _ in _counted_passes(function)}:
        return False
    counts = {
        (other.key, loop): share
        for other in function.module_model.functions()
        for found, share, loop in _counted_passes(other)
        if found.label[0] == event.label[0]
    }
    known = [share for share in counts.values() if share is not None]
    return len(counts) > 1 and (len(known) < len(counts) or sum(known) == 0)


def rounds_to_world_size(function: Function) -> bool:
    """Whether the function or its module takes care of what is left when something is divided among the processes.

    That is tested, cut off or filled up. Of a module whose own run is not complete nothing is known.
    """
    scopes = [s for s in (function, function.module_model.body) if not function.project.is_running(s)]
    return any(_tests_remainder(scope) or _evens_out(scope) for scope in scopes)


def is_made_even(function: Function, block: int, data: ir.Expression) -> bool:
    """Whether the data of a loop has a multiple of the number of processes, or functions that make it round to one."""
    values = [data]
    for node in ir.walk(data):
        found = visible_definitions(function, node.id) if isinstance(node, ir.Name) else None
        values += found[1] if found is not None else ()
    nodes = [node for value in values for node in ir.walk(value)]
    return any(_is_size(function, block, one) for one in nodes if _is_product(one)) or any(
        _tests_remainder(maker) or _evens_out(maker)
        for maker in _makers(function, nodes)
        if not function.project.is_running(maker)
    )


def _makers(function: Function, nodes: Iterable[ir.Expression]) -> Iterator[Function]:
    """The functions of the project that are called, and the methods that assign a field."""
    for node in nodes:
        bound = function.bound(node) if isinstance(node, ir.Call) else None
        entity = bound.callee.entity if bound is not None else None
        callee = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
        if callee is not None:
            yield callee
        if isinstance(node, ir.Attribute) and ir.dotted(node.value) == function.self_name and function.ir.owner:
            yield from _assigning(function, function.ir.owner, node.attr)


def _assigning(function: Function, owner: str, attribute: str) -> Iterator[Function]:
    for name in function.module.classes[owner].methods.values():
        method = function.module_model.function(name)
        if f"{method.self_name}.{attribute}" in method.assignments:
            yield method


def _tests_remainder(scope: Function) -> bool:
    return any(
        isinstance(node, ir.BinaryOperation) and node.operator == "%" and _is_size(scope, block.index, node.right)
        for block, branch, _ in scope.branches()
        if not _deals_out(scope, block.index, branch.test)
        for node in ir.walk(branch.test)
    )


def _deals_out(scope: Function, block: int, test: ir.Expression) -> bool:
    """Whether a test gives each rank its turn, ``n % size == rank``, which leaves some with more than others."""
    if not isinstance(test, ir.Comparison):
        return False
    env = scope.flow.environment_before(block, None)
    return any(scope.value(side, env).content.level is Level.RANK for side in ir.children(test))


def _evens_out(scope: Function) -> bool:
    """Whether something is rounded to a multiple or cut: ``n - n % size``, ``-n % size``, ``n // size * size``."""
    return any(
        _is_rounding(scope, block.index, node, is_rest=node.span in rests)
        for block in scope.ir.blocks
        for expression in (*chain.from_iterable(map(expressions_read, block.steps)), *terminator_expressions(block))
        for rests in [_rests(expression)]
        for node in ir.walk(expression)
    )


def _rests(expression: ir.Expression) -> set[ir.Span]:
    """What is subtracted: ``n - share * size`` is what is left, which ranks may get on top of their share."""
    nodes = ir.walk(expression)
    return {one.right.span for one in nodes if isinstance(one, ir.BinaryOperation) and one.operator == "-"}


def _is_rounding(scope: Function, block: int, node: ir.Expression, is_rest: bool) -> bool:
    match node:
        case ir.BinaryOperation(operator="%", left=ir.UnaryOperation(operator="-"), right=size):
            return _is_size(scope, block, size)
        case ir.BinaryOperation(operator="-", right=ir.BinaryOperation(operator="%", right=size)):
            return _is_size(scope, block, size)
        case ir.BinaryOperation(operator="*", left=left, right=right):
            sides = ((left, right), (right, left))
            return any(_is_size(scope, block, size) and _divides(scope, block, other, is_rest) for size, other in sides)
        case ir.Subscript(value=whole, index=ir.Slice(lower=None, upper=ir.Expression() as end, step=None)):
            if _is_product(end):
                return _is_size(scope, block, end)
            return _divides(scope, block, end, False) and any(map(_is_dealt, _meant(scope, whole)))
    return False


def _is_product(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.BinaryOperation) and expression.operator == "*"


def _is_dealt(expression: ir.Expression) -> bool:
    """Whether an expression takes every n-th element."""
    return (
        isinstance(expression, ir.Subscript) and isinstance(expression.index, ir.Slice) and bool(expression.index.step)
    )


def _divides(scope: Function, block: int, expression: ir.Expression, is_rest: bool) -> bool:
    return any(
        isinstance(node, ir.BinaryOperation) and node.operator in ("/", "//") and _is_size(scope, block, node.right)
        for part in ([expression] if is_rest else _meant(scope, expression))
        for node in ir.walk(part)
    )


def _meant(scope: Function, expression: ir.Expression) -> list[ir.Expression]:
    """An expression, or what the name that it consists of stands for."""
    found = visible_definitions(scope, expression.id) if isinstance(expression, ir.Name) else None
    return [expression] if found is None else found[1]


def _is_size(scope: Function, block: int, expression: ir.Expression) -> bool:
    """Whether a number is that of the processes or of all devices, or a multiple of it."""
    if isinstance(expression, ir.BinaryOperation) and expression.operator == "*":
        return any(_is_size(scope, block, factor) for factor in (expression.left, expression.right))
    value = scope.value(expression, scope.flow.environment_before(block, None))
    return isinstance(value.entity, SizeOf) or is_result_of(value, _ALL_DEVICES)


def _counted_passes(function: Function) -> Iterator[tuple[Event, int | None, int]]:
    """Communication in loops over ``range``: the increase of the trip count from rank to rank, if known; the header."""
    for block, branch, test in function.branches():
        iterable = branch.test.iterable if isinstance(branch.test, ir.Element) else None
        if branch.kind != "for" or test.structure.level is not Level.RANK or not isinstance(iterable, ir.Call):
            continue
        if ir.dotted(iterable.func) != "range" or len(iterable.args) not in (1, 2):
            continue
        share = _share_of_rank(function, block.index, iterable)
        for event in _events(function, block.index, branch):
            yield event, share, block.index


def _events(function: Function, header: int, branch: ir.Branch) -> Iterator[Event]:
    for block in function.graph.reachable(branch.when_true, header):
        if block < len(function.ir.blocks) and function.flow.entries[block] is not None:
            for event in function.block_events(block):
                if branch.extent[0] <= event.span[0] < branch.extent[1]:
                    yield event


def _share_of_rank(function: Function, index: int, iterable: ir.Call) -> int | None:
    env = function.flow.environment_before(index, None)
    shares = [_coefficient(function, argument.value, env) for argument in iterable.args]
    if len(shares) == 1:
        return shares[0]
    first, last = shares
    return None if first is None or last is None else last - first


def _coefficient(function: Function, expression: ir.Expression, env: Environment) -> int | None:
    """By how much an expression grows with the rank."""
    value = function.value(expression, env)
    if isinstance(value.entity, RankOf):
        return 1
    if not value.content.level.diverges:
        return 0
    match expression:
        case ir.BinaryOperation(operator="+" | "-" as operator, left=left, right=right):
            one, other = _coefficient(function, left, env), _coefficient(function, right, env)
            if one is None or other is None:
                return None
            return one + other if operator == "+" else one - other
        case ir.UnaryOperation(operator="-", operand=operand):
            inner = _coefficient(function, operand, env)
            return None if inner is None else -inner
    return None
