"""Upper-case calls that receive into a copy which nothing else refers to, so that the data is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_specs import specification
from jaxmpi_lint.analysis.arrays.position_arrays import holds_array
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import nested_functions, reads_anywhere
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.conditions.rooted_calls import blocking_name, is_of_root, significant_at_root
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Named
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.wrong_arguments import WrongArgument

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_COPYING_METHODS = frozenset({"copy", "astype", "flatten"})
_COPYING = frozenset({"numpy.array", "numpy.copy"})
_CONTIGUOUS = frozenset({"numpy.ascontiguousarray", "numpy.require"})
_TENSORS = re.compile(r"\btorch\b")
"""A library whose `flatten` may return a view."""


def temporary_buffers(function: Function) -> Iterator[WrongArgument]:
    """The calls of a function that receive into a copy, one finding for each call."""
    seen: set[ir.Span] = set()
    for block, bound, env in operation_steps(function, _receives):
        if bound.call.span in seen or not is_mpi4py_call(function.project, bound, function):
            continue
        for buffer in _buffers(function, block.index, bound, env):
            if _is_copy(function, buffer, env) or _is_unread_copy(function, buffer):
                seen.add(bound.call.span)
                if not is_expected_to_fail(function.ir, bound.call.span):
                    yield WrongArgument(function, bound, buffer, "a copy, which nothing refers to after the call")
                break


def _receives(bound: BoundCall) -> bool:
    operation = bound.operation
    if operation is None or not operation.buffer or operation.library != "mpi4py" or bound.call.has_star:
        return False
    return bool(operation.receives)


def _buffers(function: Function, block: int, bound: BoundCall, env: Environment) -> Iterator[ir.Expression]:
    """The objects in which the ranks that make the call receive something."""
    operation = bound.known_operation
    if set(operation.sends) & set(operation.receives) and _may_only_send(function, block, bound, env):
        return
    unused = significant_at_root(operation) if is_of_root(function, block, bound) is False else ()
    if is_of_root(function, block, bound) and blocking_name(operation).startswith("Scatter"):
        unused = operation.receives
    for parameter in dict.fromkeys(operation.receives):
        spec = specification(bound.argument(parameter)) if parameter not in unused else None
        if spec is not None and not _holds_root(function, spec.buffer, bound):
            yield spec.buffer


def _holds_root(function: Function, buffer: ir.Expression, bound: BoundCall) -> bool:
    """Whether a buffer holds the root of the call, which all ranks know already."""
    root = bound.argument("root")
    if root is None or isinstance(root, ir.Constant):
        return False
    source = function.module.source
    return any(source(node.span) == source(root.span) for node in ir.walk(buffer) if isinstance(node, type(root)))


def _may_only_send(function: Function, block: int, bound: BoundCall, env: Environment) -> bool:
    """Whether one buffer serves both directions, and only ranks that send may make the call."""
    root = bound.argument("root")
    if root is not None and isinstance(function.value(root, env).entity, Named):
        return True  # MPI.ROOT of an intercommunicator
    return any(guard.by_role for guard in guards(function, block))


def _is_copy(function: Function, buffer: ir.Expression, env: Environment) -> bool:
    """Whether an expression makes a new array from the data of another one."""
    match buffer:
        case ir.Subscript(value=ir.Name() | ir.Attribute(), index=ir.Name() | ir.Attribute() as index):
            return holds_array(function, index, env)
        case ir.Subscript(index=index):
            return _selects(index)
        case ir.BinaryOperation(operator="+" | "-" | "*" | "/", left=left, right=right):
            return not isinstance(left, ir.Collection) and not isinstance(right, ir.Collection)
    if not isinstance(buffer, ir.Call) or any(one.keyword == "copy" for one in buffer.args):
        return False
    dotted = _library_name(function, buffer, env)
    if not dotted:
        return _is_copying_method(function, buffer.func)
    if not buffer.args:
        return False
    source = buffer.args[0].value
    if dotted in _CONTIGUOUS:
        return _is_strided(source)
    return dotted in _COPYING and isinstance(source, (ir.Name, ir.Attribute, ir.Subscript))


def _is_unread_copy(function: Function, buffer: ir.Expression) -> bool:
    """Whether a variable holds a copy of a part of an array, and nothing but the call reads it."""
    if not isinstance(buffer, ir.Name) or not function.is_local(buffer.id) or buffer.id in function.bound_otherwise:
        return False
    values = list(function.assignments.get(buffer.id, {}).values())
    reads = [
        node.span
        for one in reads_anywhere(function.ir)
        for node in ir.walk(one)
        if isinstance(node, ir.Name) and node.id == buffer.id
    ]
    is_unread = set(reads) == {buffer.span} and not any(nested_functions(function))
    return is_unread and len(values) == 1 and _is_copied_part(function, values[0], function.flow.exit)


def _is_copied_part(function: Function, value: ir.Expression, env: Environment) -> bool:
    """Whether a call copies a part of an array, itself or in a function of the project that returns nothing else."""
    if not isinstance(value, ir.Call):
        return False
    bound = function.bound(value)
    entity = bound.callee.entity if bound is not None else None
    if isinstance(entity, FunctionReference):
        target = function.project.function(entity.path, entity.qualname)
        ends = [block.terminator for block in target.ir.blocks] if target is not None else []
        returned = [end.value for end in ends if isinstance(end, ir.Return) and end.value is not None]
        if target is None or len(returned) != 1 or target.ir.is_generator:
            return False
        return not function.project.is_running(target) and _is_copied_part(target, returned[0], target.flow.exit)
    owner = value.func.value if isinstance(value.func, ir.Attribute) else None
    first = value.args[0].value if value.args else None
    return any(isinstance(one, ir.Subscript) for one in (owner, first)) and _is_copy(function, value, env)


def _is_copying_method(function: Function, method: ir.Expression) -> bool:
    if not isinstance(method, ir.Attribute) or method.attr not in _COPYING_METHODS:
        return False
    return method.attr != "flatten" or not _TENSORS.search(function.module.text)


def _library_name(function: Function, call: ir.Call, env: Environment) -> str:
    entity = function.value(call.func, env).entity
    return function.project.canonical(entity.dotted) if isinstance(entity, Named) else ""


def _selects(index: ir.Expression) -> bool:
    """Whether an index is a list or a mask, for which numpy makes a new array."""
    match index:
        case ir.Collection(kind="list") | ir.Comparison():
            return True
        case ir.Collection(kind="tuple", elements=elements):
            return any(map(_selects, elements))
        case ir.UnaryOperation(operator="~"):
            return True
    return False


def _is_strided(source: ir.Expression) -> bool:
    """Whether an expression is a part of an array whose rows are not contiguous, as a column is."""
    match source:
        case ir.Attribute(attr="T"):
            return True
        case ir.Subscript(index=ir.Collection(kind="tuple", elements=elements)):
            return any(
                isinstance(first, ir.Slice) and not _is_full(later)
                for position, first in enumerate(elements)
                for later in elements[position + 1 :]
            )
    return False


def _is_full(index: ir.Expression) -> bool:
    return isinstance(index, ir.Slice) and index.lower is None and index.upper is None and index.step is None
