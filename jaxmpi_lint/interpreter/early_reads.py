"""Reads that Python makes before a call in the same expression: ``(source.position, source.read())``.

Calls are steps of a function's graph, and the rest of an expression is evaluated after them. What stands to the left of
a call and may be changed by it is therefore read when the call begins (Python language reference, section 6.16).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxmpi_lint.analysis import ir

Reads = dict[int, list[ir.Expression]]
_CHOICES = (ir.Conditional, ir.BooleanOperation, ir.Comprehension, ir.Lambda)
"""Expressions of which not all parts are evaluated, or several times."""

_EFFECTS = (ir.Call, ir.Await, ir.Yield, ir.NamedExpression)


def of(function: ir.Function) -> Reads:
    """For each call, the expressions that are read before it."""
    found: Reads = {}
    for root in _roots(function):
        for node in ir.walk(root):
            if not isinstance(node, _CHOICES):
                _add(function, _parts(node), found)
    for step in function.steps():
        if isinstance(step, ir.AugmentedAssign):
            _add(function, (step.target, step.value), found)
    return found


def _roots(function: ir.Function) -> Iterator[ir.Expression]:
    for block in function.blocks:
        for step in block.steps:
            match step:
                case ir.Evaluate(expression=expression):
                    yield expression
                case ir.Assign(value=value) | ir.AugmentedAssign(value=value) if value is not None:
                    yield value
        match block.terminator:
            case ir.Return(value=value) | ir.Raise(value=value) if value is not None:
                yield value
            case ir.Branch(test=test):
                yield test


def _parts(node: ir.Expression) -> Sequence[ir.Expression]:
    """The parts of an expression that are evaluated one after the other; the function of a call is not read early."""
    parts = tuple(ir.children(node))
    return parts[1:] if isinstance(node, ir.Call) else parts


def _add(function: ir.Function, parts: Sequence[ir.Expression], found: Reads) -> None:
    waiting: list[ir.Expression] = []
    for part in parts:
        call = _first_call(part)
        if call is not None and waiting:
            known = found.setdefault(id(call), [])
            known += [one for one in waiting if all(one is not other for other in known)]
            waiting = []
        elif not any(isinstance(node, _EFFECTS) for node in ir.walk(part)) and _may_change(function, part):
            waiting.append(part)


def _first_call(expression: ir.Expression) -> ir.Call | None:
    """The call that is made first, if it is made in any case."""
    if isinstance(expression, _CHOICES):
        return None
    for child in ir.children(expression):
        found = _first_call(child)
        if found is not None:
            return found
    return expression if isinstance(expression, ir.Call) else None


def _may_change(function: ir.Function, expression: ir.Expression) -> bool:
    """Whether a call may change what an expression reads: fields, items, and names of the module."""
    shared = function.globals | function.nonlocals
    for node in ir.walk(expression):
        if isinstance(node, ir.Attribute | ir.Subscript):
            return True
        if isinstance(node, ir.Name) and (function.kind == "module" or node.id in shared):
            return True
    return False
