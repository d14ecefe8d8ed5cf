"""Operators and tests on values of which some may be objects of the project: their special methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import derived, flag_members, identity, local_averages, operations
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.sizes import named_size, note_comparison, note_root, root_degree, threshold
from jaxmpi_lint.interpreter.values import (
    MISSING,
    GeneratorValue,
    Instance,
    Iterator,
    Library,
    LibraryMethod,
    NeedsCall,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def truth_of(rank: Rank, frame: Frame, expression: ir.Expression, value: Value) -> bool:
    """The outcome of a test with a known value; an object of the project may decide by a special method."""
    if isinstance(value, Instance):
        for name in ("__bool__", "__len__"):
            method = value.cls.find(name)
            if isinstance(method, LibraryMethod):
                return rank.truth(derived.base_of(value))
            if method is not MISSING:
                return bool(rank.truth(implicit(frame, expression, name, method, (value,))))
    return rank.truth(value)


def implicit(frame: Frame, expression: ir.Expression, name: str, method: Value, args: tuple[Value, ...]) -> Value:
    """The result of a special method, requested if it has not been called."""
    key = (id(expression), name)
    if key not in frame.implicit:
        raise NeedsCall(expression, method, args, key=key)
    return frame.implicit[key]


_SPECIAL = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift", "==": "eq", "!=": "ne", "<": "lt", "<=": "le",
    ">": "gt", ">=": "ge",
}  # fmt: skip


_REFLECTED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
"""The special methods that the right operand of a comparison may have."""


def _is_not_implemented(value: Value) -> bool:
    return isinstance(value, Library) and value.dotted == "builtins.NotImplemented"


def apply(rank: Rank, frame: Frame, node: ir.Expression, operator: str, left: Value, right: Value) -> Value:
    """The result of an operator, by a special method where an operand is an object of the project."""
    special = _SPECIAL.get(operator, "")
    names = f"__{special}__", f"__{_REFLECTED.get(special, 'r' + special)}__"
    for owner, other, name in ((left, right, names[0]), (right, left, names[1])):
        if special and isinstance(owner, Instance):
            method = owner.cls.find(name)
            if method is not MISSING:
                found = implicit(frame, node, name + operator, method, (owner, other))
                if not _is_not_implemented(found):
                    return found
    if operator == "!=" and any(
        isinstance(one, Instance) and one.cls.find("__eq__") is not MISSING for one in (left, right)
    ):
        return not rank.truth(apply(rank, frame, node, "==", left, right))
    flags = flag_members.combined(rank, operator, left, right)
    if flags is not MISSING:
        return flags
    rank.world.named_sizes.add(named_size(operator, left, right))
    rank.world.thresholds.add(threshold(operator, left, right))
    if operator == "**":
        note_root(rank.world, left, root_degree(right))
    if operator in ("<", "<=", ">", ">="):
        left, right = operations.in_order(left), operations.in_order(right)
    result = operations.binary(rank, operator, left, right)
    local_averages.check(rank, node, operator, (left, right), result)
    return result


def apply_in_place(rank: Rank, frame: Frame, node: ir.Expression, operator: str, left: Value, right: Value) -> Value:
    """The result of ``left operator= right``; an object of the project may change itself."""
    method = left.cls.find(f"__i{_SPECIAL.get(operator, '')}__") if isinstance(left, Instance) else MISSING
    if method is MISSING:
        return apply(rank, frame, node, operator, left, right)
    return implicit(frame, node, f"in place {operator}", method, (left, right))


def unary(rank: Rank, operator: str, value: Value) -> Value:
    """The result of an operator with one operand."""
    flags = flag_members.inverted(rank, value) if operator == "~" else MISSING
    return operations.unary(rank, operator, value) if flags is MISSING else flags


def compare(rank: Rank, frame: Frame, node: ir.Expression, operator: str, left: Value, right: Value) -> Value:
    """The result of a comparison."""
    if operator in ("in", "not in") and isinstance(right, Instance):
        method = right.cls.find("__contains__")
        if method is not MISSING:
            found = rank.truth(implicit(frame, node, "__contains__", method, (right, left)))
            return found is (operator == "in")
        has_flags = flag_members.contains(right, left)
        if has_flags is not None:
            return has_flags is (operator == "in")
    if operator in ("in", "not in") and isinstance(left, Instance) and isinstance(right, (list, tuple)):
        method = left.cls.find("__eq__")
        if method is not MISSING:
            answers = (implicit(frame, node, f"__eq__ {at}", method, (left, one)) for at, one in enumerate(right))
            return any(rank.truth(answer) for answer in answers) is (operator == "in")
    if operator in ("in", "not in") and isinstance(right, (Iterator, GeneratorValue)):
        found = implicit(frame, node, "in", Library("jaxmpi.in iterator"), (right, left))
        return found is (operator == "in")
    note_comparison(rank.world, operator, left, right)
    rank.world.thresholds.add(threshold(operator, left, right))
    if operator in _SPECIAL:
        return apply(rank, frame, node, operator, left, right)
    return identity.compare(rank, operator, left, right)
