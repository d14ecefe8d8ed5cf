"""Pickle-based communication whose result is discarded, and later uses of the argument instead of the result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import (
    definitions,
    is_read,
    is_read_after,
    is_read_by_methods,
    nested_functions,
    place_of,
    reads_anywhere,
)
from jaxmpi_lint.analysis.conditions.guards import exclude_each_other, guards, is_check
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Literal, Value
from jaxmpi_lint.analysis.participation.spmd_code import is_end_of_loop
from jaxmpi_lint.checks.mpi4py.replacing_functions import replacing_function
from jaxmpi_lint.checks.mpi4py.returned_results import ReturnedResult, returned_result
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.library.python.array_shapes import UNFILLED

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.library.model import Operation


@dataclass(frozen=True, slots=True)
class DiscardedResult:
    """An expression statement that consists of such a call only.

    ``argument`` is the expression that is sent (for a receive, the one that the sender in the other arm of a test
    sends), ``sent`` its abstract value on the rank that makes the call.
    """

    function: Function
    block: ir.Block
    step: ir.Discard
    bound: BoundCall
    operation: Operation
    argument: ir.Expression | None
    sent: Value

    @property
    def place(self) -> str | None:
        """The variable, field or container that is sent."""
        return place_of(self.argument) if self.argument is not None else None


def discarded_results(function: Function) -> Iterator[DiscardedResult]:
    """The statements of a function that discard a result of mpi4py."""
    if not function.any_call_may_communicate:
        return
    seen: set[ir.Span] = set()
    for block, step, _ in function.steps(lambda step: isinstance(step, ir.Discard)):
        if not isinstance(step, ir.Discard) or not isinstance(step.value, ir.Call) or step.value.span in seen:
            continue
        bound = function.bound(step.value)
        result = _result(function, bound) if bound is not None else None
        if bound is None or result is None or _is_of_two_programs(function, step.value):
            continue
        seen.add(step.value.span)
        argument = result.argument
        if result.operation.kind is Kind.RECEIVE:
            argument = _sent_by_other_arm(function, block, bound)
        sent = _sent(function, block, step.value, argument)
        yield DiscardedResult(function, block, step, bound, result.operation, argument, sent)


def _result(function: Function, bound: BoundCall) -> ReturnedResult | None:
    """What a call returns: the result of an operation, or a container of such results."""
    found = returned_result(function, bound)
    replaced = replacing_function(function, bound) if found is None else None
    return ReturnedResult(*replaced) if replaced is not None else found


_BROADCASTS = frozenset({"bcast", "py_broadcast"})
_GATHERING = frozenset({"gather", "allgather", "py_gather", "py_allgather"})
_MADE_WITH_OTHERS = r"\s*=\s*[\w.]+\.(?:Spawn|Spawn_multiple|Merge|Connect|Accept|Get_parent)\("


def _is_of_two_programs(function: Function, call: ir.Call) -> bool:
    """Whether a communicator connects the program with another one: the other one may be what uses the result."""
    owner = ir.dotted(call.func.value) if isinstance(call.func, ir.Attribute) else None
    return owner is not None and bool(
        re.search(rf"(?<![\w.]){re.escape(owner)}{_MADE_WITH_OTHERS}", function.module.text)
    )


def _sent_by_other_arm(function: Function, block: ir.Block, receive: BoundCall) -> ir.Expression | None:
    """The variable that the only send of the function passes, if the receiving ranks do not execute that send."""
    sends = [
        (bound, index.index)
        for index in function.ir.blocks
        for step in index.steps
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call)
        for bound in (function.bound(step.expression),)
        if bound is not None and bound.operation is not None and bound.operation.kind is Kind.SEND
    ]
    if len(sends) != 1 or sends[0][0].communicator != receive.communicator:
        return None
    argument = sends[0][0].argument("obj")
    return (
        argument if isinstance(argument, ir.Name) and exclude_each_other(function, block.index, sends[0][1]) else None
    )


def _sent(function: Function, block: ir.Block, call: ir.Call, argument: ir.Expression | None) -> Value:
    """The abstract value of the argument before the call; after the call it would be uniform."""
    if argument is None:
        return Value()
    for step in block.steps:
        if isinstance(step, ir.Evaluate) and step.expression is call:
            return function.value(argument, function.flow.environment_before(block.index, step))
    return Value()


def is_used_as_result(found: DiscardedResult) -> bool:
    """Whether the function later reads the variable it sent, as if the call had modified it."""
    place, function = found.place, found.function
    if place is None:
        return False
    ignored = {other.bound.call.span for other in discarded_results(function)}
    if is_read_after(function, found.block, found.step, place, ignored):
        return True
    if "." not in place:
        return _is_read_by_closure(function, place) or (function.ir.kind == "module" and _is_read_in_functions(found))
    return found.operation.method in _BROADCASTS and is_read_by_methods(function, place)


def is_counter(found: DiscardedResult) -> bool:
    """Whether the argument is a loop variable, which every iteration rebinds."""
    argument = found.argument
    if not isinstance(argument, ir.Name):
        return False
    values = definitions(found.function, argument.id)
    return values is not None and all(isinstance(value, ir.Element) for value in values)


def _is_read_by_closure(function: Function, name: str) -> bool:
    return any(_reads(nested, name) for nested in nested_functions(function)) if function.ir.kind != "module" else False


def _is_read_in_functions(found: DiscardedResult) -> bool:
    model = found.function.module_model
    return any(
        other.ir.kind != "module" and not other.is_local(str(found.place)) and is_read(other, str(found.place))
        for other in model.functions()
    )


def _reads(function: ir.Function, name: str) -> bool:
    return any(
        isinstance(node, ir.Name) and node.id == name for read in reads_anywhere(function) for node in ir.walk(read)
    )


def has_partner(found: DiscardedResult) -> bool:
    """Whether a different call keeps the result on the ranks that need it.

    That is a call of the same operation in the other arm of a test, or one in a different function that has nothing to
    send: the command loop of workers.
    """
    function = found.function
    for bound, block in _kept(function, found):
        if exclude_each_other(function, block, found.block.index):
            return True
        if _sends_nothing(function, bound, block) and bound.call.span != found.bound.call.span:
            return True
    return any(
        _sends_nothing(other, bound, block)
        for model in _partner_modules(found)
        for other in model.functions()
        if other is not function
        for bound, block in _kept(other, found)
    )


def _partner_modules(found: DiscardedResult) -> Iterator[Module]:
    """The modules that may receive: that of the call, and for a field, which workers do not have, all others."""
    own = found.function.module_model
    yield own
    if "." in (found.place or ""):
        for model in found.function.project.modules():
            if model is not own and found.operation.method in model.ir.text:
                yield model


def keeps_fields_beside(found: DiscardedResult) -> bool:
    """Whether the same operation of the function gathers other fields, and its result is used."""
    if found.operation.method not in _GATHERING:
        return False
    kept = [returned_result(found.function, bound) for bound, _ in _kept(found.function, found)]
    return any(one is not None and isinstance(one.argument, ir.Attribute) for one in kept)


def _kept(function: Function, found: DiscardedResult) -> list[tuple[BoundCall, int]]:
    """Calls of the same operation or function whose result is used, with their blocks."""
    if not any(_is_same(bound, found) for bound in function.calls()):
        return []
    dropped = {step.value.span for step in function.ir.steps() if isinstance(step, ir.Discard)}
    kept: list[tuple[BoundCall, int]] = []
    for block in function.ir.blocks:
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = function.bound(step.expression)
                if bound is not None and _is_same(bound, found) and step.expression.span not in dropped:
                    kept.append((bound, block.index))
    return kept


def _is_same(bound: BoundCall, found: DiscardedResult) -> bool:
    if bound.operation is not None:
        return bound.operation.name == found.operation.name
    return found.bound.operation is None and bound.callee.entity == found.bound.callee.entity


def _sends_nothing(function: Function, bound: BoundCall, block: int) -> bool:
    """Whether a call sends None, or uninitialised memory."""
    result = returned_result(function, bound)
    argument = result.argument if result is not None else None
    if argument is None:
        return True
    if _sent(function, function.ir.blocks[block], bound.call, argument).entity == Literal(None, "NoneType"):
        return True
    values = definitions(function, argument.id) if isinstance(argument, ir.Name) else None
    brought = [value for value in values or () if value.span != bound.call.span]
    return bool(brought) and all(isinstance(value, ir.Call) and _is_unfilled(function, value) for value in brought)


def _is_unfilled(function: Function, call: ir.Call) -> bool:
    created = function.bound(call)
    return created is not None and created.dotted in UNFILLED


def is_of_one_role(found: DiscardedResult) -> bool:
    """Whether the call is guarded by a test on the rank, or on a role; a check of the input is none."""
    around = guards(found.function, found.block.index)
    return any(
        guard.by_role and not is_check(found.function, guard) and not is_end_of_loop(guard) for guard in around
    )  # every loop ends
