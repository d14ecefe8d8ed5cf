"""Names that keep the None of a call that receives into a buffer, and are read afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_read_after, reads_anywhere, visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.model.overriding import is_overridden
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_KINDS = frozenset({Kind.COLLECTIVE, Kind.SEND, Kind.RECEIVE})


@dataclass(frozen=True, slots=True)
class KeptNone:
    """An assignment of the result of such a call to a name."""

    function: Function
    step: ir.Assign
    bound: BoundCall
    name: str

    @property
    def place(self) -> Place:
        """The assignment."""
        return Place(self.function.module, self.step.span)

    @property
    def confidence(self) -> Confidence:
        """High: mpi4py's upper-case methods return None; of a function, the body shows it."""
        return Confidence.HIGH

    @property
    def method(self) -> str:
        """The method that is called, or the function of the project."""
        operation = self.bound.operation
        return operation.method if operation is not None else ir.dotted(self.bound.call.func) or "the function"

    def steps(self) -> Iterator[Step]:
        """Nothing further."""
        return iter(())


def kept_none(function: Function) -> Iterator[KeptNone]:
    """The assignments of a function, of names that it reads later."""
    if not function.any_call_may_communicate:
        return
    for block in function.ir.blocks:
        for step in block.steps if function.flow.entries[block.index] is not None else ():
            match step:
                case ir.Assign(targets=(target,), value=ir.Call() as call):
                    bound, name = function.bound(call), ir.dotted(target)
                    if bound is None or name is None:
                        continue
                    if not (_returns_none(function, bound) or _fills_argument(function, bound)):
                        continue
                    is_field = isinstance(target, ir.Attribute) and bound.operation is not None
                    if is_field or _is_used(function, block, step, name, bound):
                        yield KeptNone(function, step, bound, name)


def _is_used(function: Function, block: ir.Block, step: ir.Assign, name: str, bound: BoundCall) -> bool:
    """Whether a name is read afterwards; a function that only returns what the method returns is a wrapper of it."""
    if name in {ir.dotted(argument.value) for argument in bound.call.args}:
        return is_read_after(function, block, step, name, set())
    ends = (one.terminator for one in function.ir.blocks)
    returned = {end.value.span for end in ends if isinstance(end, ir.Return) and end.value is not None}
    reads = [
        node.span
        for expression in reads_anywhere(function.ir)
        for node in ir.walk(expression)
        if isinstance(node, ir.Name) and node.id == name
    ]
    return not set(reads) <= returned and is_read_after(function, block, step, name, set())


def _returns_none(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    if bound.call.args == () and isinstance(bound.call.func, ir.Attribute) and bound.call.func.attr == "wait":
        return _is_of_buffer(function, bound.call.func.value)
    return (
        operation is not None
        and operation.kind in _KINDS
        and operation.buffer
        and operation.result is Result.NONE
        and operation.method[:1].isupper()
        and is_mpi4py_call(function.project, bound, function)
    )


def _is_of_buffer(function: Function, request: ir.Expression) -> bool:
    """Whether a request is that of an upper-case call, of which `wait` returns None as well."""
    found = visible_definitions(function, request.id) if isinstance(request, ir.Name) else None
    if found is None or found[0] is not function or len(found[1]) != 1 or not isinstance(found[1][0], ir.Call):
        return False
    started = function.bound(found[1][0])
    operation = started.operation if started is not None else None
    if started is None or operation is None or operation.result is not Result.REQUEST:
        return False
    return operation.buffer and is_mpi4py_call(function.project, started, function)


def _fills_argument(function: Function, bound: BoundCall) -> bool:
    """Whether a call runs a function of the project that fills an argument by communication, and returns nothing."""
    entity = bound.callee.entity
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if target is None or target.ir.is_generator or target.ir.is_async or target.ir.decorators or is_overridden(target):
        return False
    ends = [block.terminator for block in target.ir.blocks if target.flow.entries[block.index] is not None]
    if any(isinstance(end, ir.Return) and end.value is not None and not ir.is_none(end.value) for end in ends):
        return False
    parameters = {parameter.name for parameter in target.ir.parameters}
    return any(_returns_none(target, inner) and parameters & {*_buffers(inner)} for inner in target.operation_calls)


def _buffers(bound: BoundCall) -> Iterator[str]:
    """The names whose arrays a call fills."""
    operation = bound.known_operation
    for parameter in (*operation.receives, *(operation.sends if operation.root is not None else ())):
        given = bound.argument(parameter)
        while isinstance(given, ir.Collection) and given.elements:
            given = given.elements[0]
        yield ir.dotted(given) or "" if given is not None else ""


def without_assignment(found: KeptNone) -> Repair | None:
    """The fix: make the call a statement, so that the name keeps the buffer."""
    value = found.step.value
    if value is None or found.name not in {ir.dotted(argument.value) for argument in found.bound.call.args}:
        return None
    edit = ((found.step.span[0], value.span[0]), "")
    return Repair(Applicability.UNSAFE, "make the call a separate statement", (edit,))
