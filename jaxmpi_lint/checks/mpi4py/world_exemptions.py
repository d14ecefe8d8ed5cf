"""Functions that are given a communicator and use the world beside it, and mean to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_read
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Communicator
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator
from jaxmpi_lint.analysis.model.overriding import overrides

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_OF_A_PART = re.compile(
    r"sub|node|local|row|col(?!l)|inter|intra|shared|shm|lead|group|cart|split|team|replica|ensemble|pool|space|time|io_|"
    r"(?:^|[._])icomm|parent|child|remote|server|client"
)
_ASKED = frozenset({"Get_rank", "Get_size", "rank", "size"})
_CLOCKS = frozenset({"Wtime", "time", "perf_counter", "monotonic", "process_time", "time_ns", "perf_counter_ns"})


def is_on_purpose(function: Function, own: OwnCommunicator) -> bool:
    """Whether a function brings the two together, chooses its communicator, or has to accept one it does not need."""
    if "world" in own.text.lower() or _chooses(function, own):
        return True
    if "." not in own.text and not is_read(function, own.text) and overrides(function):
        return True
    return _joins(function, own) or _compares(function, own)


def has_two_levels(function: Function, own: OwnCommunicator, communicates: bool) -> bool:
    """Whether names say that there is a communicator of a part, and the world, and the function uses both."""
    if communicates and _OF_A_PART.search(own.text.lower()):
        return True
    return (communicates or "." in own.text or is_read(function, own.text)) and _names_world(function)


def _names_world(function: Function) -> bool:
    return any(
        isinstance(step, ir.Assign)
        and any(isinstance(target, ir.Name) and "world" in target.id.lower() for target in step.targets)
        and step.value is not None
        and (ir.dotted(step.value) or "").endswith("COMM_WORLD")
        for step in function.ir.steps()
    )


def is_for_the_clock(function: Function, bound: BoundCall) -> bool:
    """Whether a barrier brings the processes together before or after the time is taken."""
    if bound.operation is None or bound.operation.method.lower() != "barrier":
        return False
    return any((ir.dotted(call.func) or "").rpartition(".")[2] in _CLOCKS for call in function.ir.calls())


def tells_own_rank(function: Function, own: OwnCommunicator, bound: BoundCall) -> bool:
    """Whether the processes of the world are told which rank, or how many, there are in the other communicator."""
    if bound.operation is None:
        return False
    sent = {ir.dotted(argument) for argument in map(bound.argument, bound.operation.sends) if argument is not None}
    asked = [value for name in sent if name for value in function.assignments.get(name, {}).values()]
    given = [argument.value for argument in bound.call.args]
    return any(_asks_own(own, expression) for expression in (*asked, *given))


def _asks_own(own: OwnCommunicator, expression: ir.Expression) -> bool:
    asked = expression.func if isinstance(expression, ir.Call) else expression
    return isinstance(asked, ir.Attribute) and asked.attr in _ASKED and ir.dotted(asked.value) == own.text


def _chooses(function: Function, own: OwnCommunicator) -> bool:
    """Whether a function itself fills the field that holds the communicator, or a test runner calls it."""
    if function.ir.name.startswith("test"):
        return True
    return "." in own.text and any(
        isinstance(step, ir.Assign) and own.text in {ir.dotted(target) for target in step.targets}
        for step in function.ir.steps()
    )


def _joins(function: Function, own: OwnCommunicator) -> bool:
    """Whether a call is given both, or the group of the world is asked for."""
    for _, step, env in function.steps():
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            call = step.expression
            given = [argument.value for argument in call.args]
            if isinstance(call.func, ir.Attribute):
                given.append(call.func.value)
            if _has_both(function, own, given, env) or _asks_group(function, call, env):
                return True
    return False


def _asks_group(function: Function, call: ir.Call, env: Environment) -> bool:
    return any(
        isinstance(node, ir.Attribute)
        and node.attr in ("group", "Get_group")
        and _is_world(function.value(node.value, env).entity)
        for node in ir.walk(call)
    )


def _compares(function: Function, own: OwnCommunicator) -> bool:
    for block, branch, _ in function.branches():
        env = function.flow.environment_before(block.index, None)
        for node in ir.walk(branch.test):
            if isinstance(node, ir.Comparison) and _has_both(function, own, list(node.operands), env):
                return True
    return False


def _has_both(function: Function, own: OwnCommunicator, given: list[ir.Expression], env: Environment) -> bool:
    if own.text not in {ir.dotted(expression) for expression in given}:
        return False
    return any(_is_world(function.value(expression, env).entity) for expression in given)


def _is_world(entity: object) -> bool:
    return isinstance(entity, Communicator) and entity.context == WORLD
