"""Operators of the program in reductions of buffers: MPI takes the result from the memory of their second operand.

mpi4py calls the function of ``MPI.Op.Create`` with two buffers and a datatype and ignores what it returns (MPI 4.1,
section 6.9.5). A function that binds the name of the second operand to a new array leaves that memory as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.checks.mpi4py.wrong_arguments import WrongArgument
from jaxmpi_lint.findings.model import Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_CREATE = "mpi4py.MPI.Op.Create"
_VIEWS = frozenset({"frombuffer", "asarray", "memoryview", "reshape", "view", "ravel", "cast", "squeeze", "transpose"})
"""Functions and methods, by their last name, whose result shares the memory of an argument or of the object."""

_READS = _VIEWS | frozenset(
    """abs absolute add all any array arctan2 argmax argmin array_equal bool concatenate copy cos dot exp float
    hstack hypot int isfinite isnan item len list log matmul max maximum mean min minimum multiply power print sin
    sqrt stack std subtract sum tobytes tolist true_divide divide tuple unpack unpack_from vstack where zip enumerate
    range""".split()
)
"""Functions and methods that only read their arguments, if none of them is named ``out``."""


_MODULES = frozenset({"np", "numpy", "math", "struct"})
_BUILTINS = frozenset(
    "abs all any bool enumerate float int len list max memoryview min print range sum tuple zip".split()
)


@dataclass(frozen=True, slots=True)
class UnwrittenOperand(WrongArgument):
    """A reduction with such an operator."""

    operator: Function | None = None
    rebound: ir.Span | None = None
    kind: str = "unwritten"

    def steps(self) -> Iterator[Step]:
        """The statement that binds the name, or the function."""
        if self.operator is not None:
            span = self.rebound or self.operator.ir.span
            said = "binds a name: the memory of the operand stays as it was" if self.rebound else self.reason
            yield Step(self.operator.module, span, said)


def unwritten_operands(function: Function) -> Iterator[UnwrittenOperand]:
    """The reductions of buffers in a function whose operator leaves its second operand as it was."""
    seen: set[ir.Span] = set()
    for _, bound, _ in operation_steps(function, _reduces_buffers):
        argument = bound.argument(bound.known_operation.reduction)
        operator = None if argument is None else _operator(function, argument)
        if argument is None or operator is None or bound.call.span in seen:
            continue
        seen.add(bound.call.span)
        if len(operator.ir.parameters) < 2 or operator.ir.is_generator:
            continue
        shared = _shared(operator.ir, operator.ir.parameters[1].name)
        if not any(_writes(step, shared) for step in _steps(operator.ir)):
            reason = "does not change its second operand"
            yield UnwrittenOperand(function, bound, argument, reason, operator, _binding(operator.ir, shared))


def _reduces_buffers(bound: BoundCall) -> bool:
    found = bound.operation
    return found is not None and bool(found.reduction) and found.library == "mpi4py" and found.buffer


def _operator(function: Function, argument: ir.Expression) -> Function | None:
    """The only function from which an operator is created."""
    scope, values = function, [argument]
    if isinstance(argument, ir.Name):
        found = visible_definitions(function, argument.id)
        scope, values = found if found is not None else (function, [])
    if len(values) != 1 or not isinstance(values[0], ir.Call):
        return None
    created = scope.bound(values[0])
    given = created.call.args[:1] if created is not None and created.dotted == _CREATE else ()
    if not given or given[0].keyword not in (None, "function"):
        return None
    entity = scope.value(given[0].value, scope.flow.exit).entity
    if not isinstance(entity, FunctionReference) or entity.bound:
        return None
    return function.project.function(entity.path, entity.qualname)


def _shared(operator: ir.Function, second: str) -> set[str]:
    """The names that share the memory of a parameter."""
    shared = {second}
    for _ in operator.blocks:
        before = len(shared)
        for step in _steps(operator):
            if isinstance(step, ir.Assign) and step.value is not None and _may_share(step.value, shared):
                shared.update(node.id for one in step.targets for node in ir.walk(one) if isinstance(node, ir.Name))
        if len(shared) == before:
            break
    return shared


def _steps(operator: ir.Function) -> Iterable[ir.Step]:
    return (step for block in operator.blocks for step in block.steps)


def _may_share(value: ir.Expression, shared: set[str]) -> bool:
    """Whether a value is or holds a view of the memory: it is not computed anew."""
    match value:
        case ir.BinaryOperation() | ir.UnaryOperation() | ir.Comparison() | ir.FormattedString():
            return False
        case ir.Call(func=called) if _last_name(called) in _READS - _VIEWS:
            return False
    return any(_is_view(node, shared) for node in ir.walk(value))


def _last_name(called: ir.Expression) -> str:
    return called.attr if isinstance(called, ir.Attribute) else ir.dotted(called) or ""


def _is_view(value: ir.Expression, shared: set[str]) -> bool:
    match value:
        case ir.Name(id=name):
            return name in shared
        case ir.Attribute(value=inner) | ir.Subscript(value=inner):
            return _is_view(inner, shared)
        case ir.Call(func=ir.Attribute(value=inner, attr=name), args=arguments) if name in _VIEWS:
            return _is_view(inner, shared) or any(_is_view(one.value, shared) for one in arguments)
        case ir.Call(func=ir.Name(id=name), args=arguments) if name in _VIEWS:
            return any(_is_view(one.value, shared) for one in arguments)
    return False


def _writes(step: ir.Step, shared: set[str]) -> bool:
    if isinstance(step, ir.AugmentedAssign) and _is_view(step.target, shared):
        return True
    if isinstance(step, ir.Assign) and any(_is_stored(target, shared) for target in step.targets):
        return True
    if not isinstance(step, (ir.Assign, ir.AugmentedAssign, ir.Evaluate, ir.Discard, ir.Keep)):
        return True
    read = (node for expression in expressions_read(step) for node in ir.walk(expression))
    return any(isinstance(node, ir.Call) and _call_may_write(node, shared) for node in read)


def _is_stored(target: ir.Expression, shared: set[str]) -> bool:
    if isinstance(target, ir.Collection):
        return any(_is_stored(one, shared) for one in target.elements)
    return not isinstance(target, ir.Name) and _is_view(target, shared)


def _call_may_write(call: ir.Call, shared: set[str]) -> bool:
    touched = [one for one in call.args if any(_is_view(node, shared) for node in ir.walk(one.value))]
    is_own_method = isinstance(call.func, ir.Attribute) and _is_view(call.func.value, shared)
    if not touched and not is_own_method:
        return False
    is_known = is_own_method or (ir.dotted(call.func) or "").partition(".")[0] in _MODULES | _BUILTINS
    return not is_known or _last_name(call.func) not in _READS or any(one.keyword == "out" for one in call.args)


def _binding(operator: ir.Function, shared: set[str]) -> ir.Span | None:
    """The last statement that binds a name of that memory to something else."""
    for step in reversed(list(_steps(operator))):
        if not isinstance(step, ir.Assign) or step.value is None or _may_share(step.value, shared):
            continue
        if any(isinstance(one, ir.Name) and one.id in shared for one in step.targets):
            return step.span
    return None
