"""Results of collectives that the program never reads, or that replace a value which it has never read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import is_read_after, nested_functions, reads_anywhere
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.checks.mpi4py.returned_results import NEW_ARRAYS
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_OF_EVERY_RANK = frozenset({"gather", "allgather", "reduce", "allreduce", "bcast"})


@dataclass(frozen=True, slots=True)
class UnreadResult:
    """A collective whose result goes to ``name``; ``text`` is what the program uses instead.

    The ``kind`` is ``unread``, ``replaced`` where the result takes the place of a value that was never read, or
    ``rebound`` where it only replaces a parameter; ``lost`` is that value, or the change of the caller's object.
    """

    function: Function
    bound: BoundCall
    name: str
    text: str
    kind: str
    lost: ir.Span | None = None

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the program may not need the result."""
        return Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method."""
        return self.bound.known_operation.method

    def steps(self) -> Iterator[Step]:
        """What is lost."""
        told = "one rank changes the object of its caller here"
        if self.kind != "rebound":
            told = f"this value of `{self.name}` is never read"
        if self.lost is not None:
            yield Step(self.function.module, self.lost, told)


def unread_results(function: Function) -> Iterator[UnreadResult]:
    """The unread results of a function, and the values that results replace."""
    if function.ir.kind == "class" or function.ir.is_too_large:
        return
    for block, bound, _ in operation_steps(function, lambda bound: _is_collective(function, bound)):
        sent = bound.argument(bound.known_operation.sends[0])
        name = ir.dotted(sent) if sent is not None else None
        step = step_of(block, bound)
        if sent is None or step is None or any(guard.by_role for guard in guards(function, block.index)):
            continue
        own = _unread(function, block, step, bound, sent)
        if own is not None:
            yield UnreadResult(function, bound, *own, "unread")
        elif name is not None and (lost := _replaced(function, step, name)) is not None:
            yield UnreadResult(function, bound, lost[0], name, "replaced", lost[1])


def _is_collective(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    if operation is None or operation.kind is not Kind.COLLECTIVE or not operation.sends or not operation.blocking:
        return False
    known = operation.method.lower() in _OF_EVERY_RANK
    return known and is_mpi4py_call(function.project, bound, function)


def step_of(block: ir.Block, bound: BoundCall) -> ir.Step | None:
    """The statement of a call: the assignment of its result, or the call itself."""
    for step in block.steps:
        match step:
            case ir.Assign(value=ir.Call(span=span)) | ir.Discard(value=ir.Call(span=span)) if span == bound.call.span:
                return step
    return None


# --- results that nothing reads ---


def _unread(
    function: Function, block: ir.Block, step: ir.Step, bound: BoundCall, sent: ir.Expression
) -> tuple[str, str] | None:
    """The name of an unread sum, and the local value or the field that the program uses instead."""
    operation = bound.known_operation
    result = operation.received if operation.buffer else operation.result
    if operation.reduction is None or result is not Result.SAME:
        return None
    name = _new_array(function, bound) if operation.buffer else _assigned(step)
    if name is None or not function.is_local(name) or name in function.ir.globals or _is_read(function, name, bound):
        return None
    place = ir.dotted(sent) if operation.buffer and _differs(function, block, step, sent) else None
    if place is not None and is_read_after(function, block, step, place, _shown(function)):
        return name, place
    field = f"{function.self_name}.{name}"
    return (name, field) if function.self_name is not None and _stays_constant(function, field) else None


def _assigned(step: ir.Step) -> str | None:
    match step:
        case ir.Assign(targets=(ir.Name(id=name),)) if not name.startswith("_"):
            return name
    return None


def _new_array(function: Function, bound: BoundCall) -> str | None:
    """The receive buffer, if it is an array that the function has made for this call."""
    receives = [
        parameter for parameter in bound.known_operation.receives if parameter not in bound.known_operation.sends
    ]
    given = bound.argument(receives[0]) if receives else None
    name = given.id if isinstance(given, ir.Name) else None
    made = list(function.assignments.get(name, {}).values()) if name is not None else []
    created = function.bound(made[0]) if len(made) == 1 and isinstance(made[0], ir.Call) else None
    return name if created is not None and created.dotted in NEW_ARRAYS else None


def _is_read(function: Function, name: str, bound: BoundCall) -> bool:
    """Whether anything but the call reads a name; that of a module may be read by other files."""
    if function.ir.kind not in ("function", "method"):
        return True
    everywhere = (function.ir, *nested_functions(function))
    nodes = (node for one in everywhere for read in reads_anywhere(one) for node in ir.walk(read))
    own = bound.call.span
    return any(isinstance(node, ir.Name) and node.id == name and not _is_inside(node.span, own) for node in nodes)


def _is_inside(span: ir.Span, outer: ir.Span) -> bool:
    return outer[0] <= span[0] and span[1] <= outer[1]


def _differs(function: Function, block: ir.Block, step: ir.Step, sent: ir.Expression) -> bool:
    return function.value(sent, function.flow.environment_before(block.index, step)).content.level is not Level.UNIFORM


def _shown(function: Function) -> set[ir.Span]:
    """The calls that communicate, or print: a value that is only passed to them is not computed with."""
    shown = (bound for bound in function.calls() if bound.dotted in ("print", "builtins.print"))
    return {bound.call.span for bound in (*function.operation_calls, *shown)}


def _stays_constant(function: Function, field: str) -> bool:
    """Whether the function gives a field a constant, or an array of zeros, and nothing else."""
    values = list(function.assignments.get(field, {}).values())
    return len(values) == 1 and is_placeholder(function, values[0])


def _is_of_constants(value: ir.Expression) -> bool:
    return isinstance(value, ir.Collection) and all(isinstance(one, ir.Constant) for one in value.elements)


def is_placeholder(function: Function, value: ir.Expression) -> bool:
    """Whether a value only stands for a later one: a constant, an empty container or a new array."""
    made = function.bound(value) if isinstance(value, ir.Call) else None
    if isinstance(value, ir.BinaryOperation) and value.operator == "*":  # ``[0] * size``
        return any(map(_is_of_constants, (value.left, value.right)))
    is_empty = isinstance(value, (ir.Collection, ir.Dictionary)) and not list(ir.children(value))
    return isinstance(value, ir.Constant) or is_empty or (made is not None and made.dotted in NEW_ARRAYS)


# --- values that results replace ---


def _replaced(function: Function, step: ir.Step, sent: str) -> tuple[str, ir.Span] | None:
    """The name that the result is assigned to, and the step whose value it had and that nothing reads.

    The value was computed for the ranks: under a test of a role, or from the former value of the name.
    """
    name = _assigned(step)
    if name is None or name == sent or not function.is_local(name) or is_closed_over(function, name):
        return None
    for block in function.ir.blocks:
        for other in block.steps if function.flow.entries[block.index] is not None else ():
            if other is not step and _is_lost(function, block, other, name, sent) and _leads_to(function, block, step):
                return name, other.span
    return None


def _is_lost(function: Function, block: ir.Block, step: ir.Step, name: str, sent: str) -> bool:
    """Whether a step computes a value for the ranks that nothing reads, and of which nothing else is sent."""
    if not isinstance(step, ir.Assign) or step.value is None or _assigned(step) != name:
        return False
    if is_placeholder(function, step.value) or is_read_after(function, block, step, name, set()):
        return False
    is_meant = _reads(step.value, name) or any(guard.by_role for guard in guards(function, block.index))
    return is_meant and not _reads(step.value, sent)


def is_closed_over(function: Function, name: str) -> bool:
    """Whether a function inside reads a name, or the name is not one of the function's own."""
    nodes = (node for one in nested_functions(function) for read in reads_anywhere(one) for node in ir.walk(read))
    return any(isinstance(node, ir.Name) and node.id == name for node in nodes) or name in function.ir.globals


def _reads(value: ir.Expression, name: str) -> bool:
    return any(ir.dotted(node) == name for node in ir.walk(value))


def _leads_to(function: Function, block: ir.Block, step: ir.Step) -> bool:
    """Whether a path leads from a block to a step."""
    reached = function.graph.reachable(block.index) | {block.index}
    return any(any(one is step for one in other.steps) for other in function.ir.blocks if other.index in reached)
