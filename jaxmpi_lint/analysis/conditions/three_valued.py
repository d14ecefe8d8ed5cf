"""Three-valued evaluation of tests under facts: true, false, or unknown (None).

The single traversal of ``not``, ``and``, ``or`` and conditional expressions. The facts decide the operands, comparisons
included; each kind of facts has its own module in this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jaxmpi_lint.analysis import ir

Facts = Callable[[ir.Expression], bool | None]
"""The outcome of a test or of a part of it, if known. Queried without ``not``, and for the whole before its parts.

For a whole test, facts decide by its text only; the traversal derives what follows from the parts.
"""


def decide(test: ir.Expression, facts: Facts) -> bool | None:
    """The outcome of a test, if the facts determine it."""
    inner, truth = ir.strip_not(test)
    outcome = facts(inner)
    if outcome is None:
        outcome = _of_parts(inner, facts)
    return None if outcome is None else outcome == truth


def joined(operator: str, outcomes: Iterable[bool | None]) -> bool | None:
    """The outcome of ``and`` or ``or`` from those of the operands: one operand may determine it."""
    absorbing = operator == "or"
    known = set(outcomes)
    if absorbing in known:
        return absorbing
    return None if None in known else not absorbing


def is_truth_value(expression: ir.Expression, is_predicate: Callable[[ir.Expression], bool] | None = None) -> bool:
    """Whether an expression is True or False itself, not one of its operands; ``is_predicate`` decides for calls."""
    match expression:
        case ir.UnaryOperation(operator="not") | ir.Comparison() | ir.Constant(value=bool()):
            return True
        case ir.BooleanOperation(operands=operands):
            return all(is_truth_value(operand, is_predicate) for operand in operands)
    return is_predicate is not None and is_predicate(expression)


def _of_parts(test: ir.Expression, facts: Facts) -> bool | None:
    match test:
        case ir.BooleanOperation(operator=operator, operands=operands):
            return joined(operator, [decide(operand, facts) for operand in operands])
        case ir.Conditional(test=chooser, body=body, orelse=orelse):
            chosen = decide(chooser, facts)
            if chosen is not None:
                return decide(body if chosen else orelse, facts)
            outcomes = {decide(body, facts), decide(orelse, facts)}
            return outcomes.pop() if len(outcomes) == 1 else None
    return None
