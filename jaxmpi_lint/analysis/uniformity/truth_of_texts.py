"""Tests whether a text is there: ``if restart:`` with names of files that each rank makes, ``f"{restart}-{rank}.pkl"``.

The texts differ between ranks, but none of them is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound, visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, Value
from jaxmpi_lint.analysis.lattice.value_queries import is_result_of
from jaxmpi_lint.library.python.files import PATH
from jaxmpi_lint.library.python.text_fields import FIELDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Flow
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_JOINING = frozenset({"os.path.join", "os.path.abspath", "Path", "pathlib.Path", "str"})


def tested(flow: Flow, block: int, test: ir.Expression, env: Environment) -> Value:
    """The value of a test at the end of a block; for a text that is not empty, whether it is None."""
    value = flow.evaluator.value(test, env)
    operand = ir.strip_not(test)[0]
    if not value.content.level.diverges or not isinstance(operand, ir.Name):
        return value
    held = flow.evaluator.value(operand, env)
    if is_result_of(held, PATH) or _is_filled_or_given(flow, block, operand.id):
        return Value(None, held.noneness, UNIFORM, UNIFORM)
    return value


def _is_filled_or_given(flow: Flow, tested_at: int, name: str) -> bool:
    """Whether all values of a name are None or texts that are not empty, but for that of a parameter, on all ranks."""
    function = flow.function
    if not function.is_local(name):
        found = visible_definitions(function, name)
        return found is not None and bool(found[1]) and all(map(_is_filled, found[1]))
    given = function.initial_environment().get(name)
    is_given_own = given is not None and given.content.level.diverges
    if is_given_own or name in function.written_inside:
        return False
    bindings = [
        (block.index, step) for block in function.ir.blocks for step in block.steps if name in names_bound(step)
    ]
    return bool(bindings) and all(
        isinstance(step, ir.Assign)
        and step.value is not None
        and (ir.is_none(step.value) or _is_filled(step.value) or _is_element_of_filled(flow, step.value))
        and any(isinstance(target, ir.Name) for target in step.targets)
        and not _is_chosen(flow, block, tested_at)
        for block, step in bindings
    )


def _is_element_of_filled(flow: Flow, value: ir.Expression) -> bool:
    """Whether a value is an element of a list of such texts."""
    match value:
        case ir.Subscript(value=ir.Name(id=name), index=index) if not isinstance(index, ir.Slice):
            found = visible_definitions(flow.function, name)
            return found is not None and bool(found[1]) and all(map(_holds_filled, found[1]))
    return False


def _holds_filled(made: ir.Expression) -> bool:
    match made:
        case ir.Comprehension(element=element):
            return _is_filled(element)
        case ir.Collection(elements=elements):
            return bool(elements) and all(map(_is_filled, elements))
    return False


def _is_filled(text: ir.Expression) -> bool:
    match text:
        case ir.Constant(value=str(known)):
            return bool(FIELDS.sub("", known))
        case ir.FormattedString(parts=parts):
            return any(_is_filled(part) for part in parts)
        case ir.Call(func=ir.Attribute(attr="format", value=pattern)):
            return _is_filled(pattern)
        case ir.Call(func=called, args=arguments) if ir.dotted(called) in _JOINING:
            return any(_is_filled(one.value) for one in arguments)
        case ir.BinaryOperation(operator="%", left=left):
            return _is_filled(left)
        case ir.BinaryOperation(operator="+" | "/", left=left, right=right):
            return _is_filled(left) or _is_filled(right)
    return False


def _is_chosen(flow: Flow, block: int, later: int) -> bool:
    """Whether a test that differs between ranks decides if a block is reached, and not if a later one is."""
    function = flow.function
    for index, test in flow.tests.items():
        branch = function.ir.blocks[index].terminator
        if test.content.level.diverges and isinstance(branch, ir.Branch) and index != later:
            sides = [function.graph.reachable(side, index) for side in (branch.when_true, branch.when_false)]
            if any(block in side for side in sides) and any(block not in side and later in side for side in sides):
                return True
    return False
