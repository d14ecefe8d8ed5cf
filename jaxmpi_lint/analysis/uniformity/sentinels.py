"""Tests whether a number is there: a global variable that is negative until all ranks have given it a value.

``if _device < 0`` is one, and ``int(os.environ.get("RANK", -1)) != -1``, which asks if a launcher has set a variable.

The value may differ between the ranks later, but it is no longer the first one on any of them: such a test has one
outcome, as ``is None`` has for a variable that is None at first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.conditions.guards import names_role
from jaxmpi_lint.analysis.lattice.value_queries import is_none

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Value

_READING = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})
_NAMES = 3
"""Names that are followed to the variable."""

_LOOPS = frozenset({"for", "while", "comprehension"})  # what comes after a loop is reached in any case


def asks_for_presence(function: Function, test: ir.Comparison, last: Value) -> bool:
    """Whether a test asks for None, if a global variable still has its first value, which all ranks replace, or if a
    variable of the environment is set: a launcher sets it for all processes.

    ``last`` is the value of the last operand.
    """
    if test.operators[0] in ("is", "is not", "==", "!=") and is_none(last):
        return True
    match test:
        case ir.Comparison(operands=(asked, limit), operators=(operator,)) if (
            first := _default_of_variable(function, asked)
        ) is not None and _parts(operator, _number(limit), first):
            return True
        case ir.Comparison(operands=(ir.Name(id=name), limit), operators=(operator,)):
            first = _first_value(function, name)
            return first is not None and _parts(operator, _number(limit), first) and _all_replace(function, name)
    return False


def _default_of_variable(function: Function, asked: ir.Expression, depth: int = 0) -> int | None:
    """The negative number that stands for a variable of the environment which is not set."""
    match asked:
        case ir.Name(id=name) if depth < _NAMES:
            found = visible_definitions(function, name)
            values = found[1] if found is not None else []
            return _default_of_variable(function, values[0], depth + 1) if len(values) == 1 else None
        case ir.Call(func=ir.Name(id="int"), args=(ir.Argument(value=inner),)):
            return _default_of_variable(function, inner, depth + 1)
        case ir.Call(func=called, args=(_, ir.Argument(value=default))) if ir.dotted(called) in _READING:
            first = _number(default)
            if isinstance(default, ir.Constant) and default.value == "-1":
                first = -1
            return first if first is not None and first < 0 else None
    return None


def _first_value(function: Function, name: str) -> int | None:
    """The negative number that a module gives to a global variable, which only its functions replace."""
    if function.ir.kind == "module" or name not in function.module_model.written_names:
        return None
    body = function.module_model.body
    if function.is_local(name) and name not in function.ir.globals:
        return None
    values = list(body.assignments.get(name, {}).values())
    first = _number(values[0]) if len(values) == 1 and name not in body.bound_otherwise else None
    return first if first is not None and first < 0 else None


def _number(expression: ir.Expression) -> int | None:
    match expression:
        case ir.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ir.UnaryOperation(operator="-", operand=ir.Constant(value=int() as value)):
            return -value
    return None


def _parts(operator: str, limit: int | None, first: int) -> bool:
    """Whether a comparison tells the first value from numbers that are not negative."""
    if limit is None:
        return False
    if operator in ("==", "!="):
        return limit == first
    return (operator in ("<", ">=") and limit == 0) or (operator in (">", "<=") and limit == -1 == first)


def _all_replace(function: Function, name: str) -> bool:
    """Whether no test of a role stands around the assignments in the functions of the module, or around their calls."""
    model = function.module_model
    if function.project.mentions((f".{name} =", f".{name}=")):
        return False
    functions = [model.function(qualname) for qualname in model.ir.functions]
    writers = [one for one in functions if name in one.ir.globals]
    called = {one.ir.name for one in writers}
    return not any(name in one.bound_otherwise for one in writers) and not any(
        _is_of_role(one, block, name) for one in (model.body, *functions) for block in _places(one, name, called)
    )


def _places(function: Function, name: str, called: set[str]) -> set[int]:
    """The blocks of a function that assign to a global variable, or call a function that does."""
    calls = {block for block, _, call in function.ir.placed_calls() if ir.dotted(call.func) in called}
    if name not in function.ir.globals:
        return calls
    spans = function.assignments.get(name, {})
    return calls | {
        block.index
        for block in function.ir.blocks
        for step in block.steps
        if isinstance(step, ir.Assign) and step.value is not None and step.value.span in spans
    }


def _is_of_role(function: Function, block: int, name: str) -> bool:
    """Whether a test that names a role of processes, and not the variable, decides whether a block is reached."""
    reachable = function.graph.reachable
    for one in function.ir.blocks:
        end = one.terminator
        if not isinstance(end, ir.Branch) or one.index == block:
            continue
        taken, passed = (block in reachable(start, one.index) for start in (end.when_true, end.when_false))
        if taken != passed and (taken or end.kind not in _LOOPS):
            asks = any(isinstance(node, ir.Name) and node.id == name for node in ir.walk(end.test))
            if not asks and names_role(function.module.source(end.test.span)):
                return True
    return False
