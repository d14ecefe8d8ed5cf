"""Pairs of expressions that differ whatever the names in them hold: ``n - 1`` and ``n``, ``x[1:]`` and ``x``."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir

_COPIES = frozenset({"list", "tuple", "sorted", "reversed"})
_SIGNS = {"+": 1, "-": -1}


def are_shifted(a: ir.Expression, b: ir.Expression) -> bool:
    """Whether two numbers differ by a constant."""
    (base, shift), (other, other_shift) = _shifted(a), _shifted(b)
    return shift != other_shift and _is_same(base, other)


def is_shift(step: ir.Step, name: str) -> bool:
    """Whether a step adds a constant to the number that a name holds."""
    match step:
        case ir.AugmentedAssign(target=ir.Name(id=target), operator=operator, value=ir.Constant(value=int(by))):
            return target == name and operator.rstrip("=") in _SIGNS and by != 0
        case ir.Assign(targets=(ir.Name(id=target),), value=ir.Expression() as value):
            return target == name and are_shifted(value, ir.Name(value.span, name))
    return False


def are_resized(a: ir.Expression, b: ir.Expression) -> bool:
    """Whether two sequences are one without some elements at an end, and all of it."""
    return _is_part_of(a, b) or _is_part_of(b, a)


def _shifted(node: ir.Expression) -> tuple[ir.Expression, int]:
    match node:
        case ir.BinaryOperation(operator=("+" | "-") as sign, left=left, right=ir.Constant(value=int(by))):
            base, shift = _shifted(left)
            return base, shift + _SIGNS[sign] * by
    return node, 0


def _is_part_of(part: ir.Expression, whole: ir.Expression) -> bool:
    match part:
        case ir.Subscript(value=value, index=ir.Slice(lower=lower, upper=upper, step=None)):
            cut = (_number(lower) or 0) > 0 and upper is None
            cut = cut or (lower is None and (_number(upper) or 0) < 0)
            return cut and _is_same(_copied(value), _copied(whole))
    return False


def _number(node: ir.Expression | None) -> int | None:
    match node:
        case ir.Constant(value=int(number)):
            return number
        case ir.UnaryOperation(operator="-", operand=ir.Constant(value=int(number))):
            return -number
    return None


def _copied(node: ir.Expression) -> ir.Expression:
    match node:
        case ir.Call(func=ir.Name(id=name), args=(argument,)) if name in _COPIES and not argument.star:
            return argument.value
    return node


def _is_same(a: ir.Expression, b: ir.Expression) -> bool:
    """Whether two expressions are one name, chain of attributes, or view of the entries of one dictionary."""
    match a, b:
        case ir.Call(func=one, args=()), ir.Call(func=other, args=()):
            views = isinstance(one, ir.Attribute) and one.attr in ("items", "keys", "values")
            return views and _is_same(one, other)
    return ir.dotted(a) is not None and ir.dotted(a) == ir.dotted(b)
