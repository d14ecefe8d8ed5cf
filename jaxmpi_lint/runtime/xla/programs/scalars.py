"""The value of a scalar in a module on one device, as far as it follows from constants and the device's number.

Predicates from `axis_index` are such values; whatever depends on data is unknown.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

from jaxmpi_lint.runtime.xla.programs import hlo

Value = int | tuple["Value", ...] | None
"""A number, a tuple or an array of numbers; None if it is unknown."""

_NAME = re.compile(r"\s+(ROOT )?%?([\w.\-]+) = ")
_OPERAND = re.compile(r"%([\w.\-]+)")
_NUMBERS = re.compile(r"-?\d+|true|false")
_INDEX = re.compile(r"\bindex=(\d+)")
_INTEGER = re.compile(r"(pred|[su]\d+)\[")
_DEEPEST = 100


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "EQ": operator.eq, "NE": operator.ne, "LT": operator.lt, "LE": operator.le, "GT": operator.gt, "GE": operator.ge,
}  # fmt: skip
_SAME = frozenset(("copy", "bitcast", "convert", "reshape"))
_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "minimum": min, "maximum": max,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "divide": _quotient, "remainder": lambda a, b: a - b * _quotient(a, b),
}  # fmt: skip


class Scalars:
    """The scalars of one module on one device; ``device`` is its position in the executable."""

    def __init__(self, module: hlo.Module, device: int) -> None:
        self._module = module
        self._numbers = {
            "partition-id": device if "num_partitions=" in module.head else 0,
            "replica-id": device if "replica_count=" in module.head else 0,
        }
        self._lines: dict[str, dict[str, str]] = {}

    def value(self, computation: str, name: str, arguments: Sequence[Value] = (), depth: int = 0) -> Value:
        """The value of an instruction of a computation, which is called with arguments."""
        line = self._of(computation).get(name)
        step = hlo.instruction(line) if line is not None else None
        if step is None or depth > _DEEPEST:
            return None
        inside = _inside(step.rest)

        def operand(place: int) -> Value:
            names = _OPERAND.findall(inside)
            return self.value(computation, names[place], arguments, depth + 1) if place < len(names) else None

        if step.opcode == "parameter":
            place = int(inside)
            return arguments[place] if place < len(arguments) else None
        if step.opcode in self._numbers:
            return self._numbers[step.opcode]
        if step.opcode == "tuple":
            return tuple(operand(place) for place in range(len(_OPERAND.findall(inside))))
        if step.opcode == "get-tuple-element":
            whole, index = operand(0), _INDEX.search(step.rest)
            return whole[int(index[1])] if isinstance(whole, tuple) and index else None
        if step.opcode in ("fusion", "call"):
            called = next(iter(step.called().values()), "")
            given = [operand(place) for place in range(len(_OPERAND.findall(inside)))]
            return self.value(called, self._root(called), given, depth + 1)
        if _INTEGER.match(step.shape) is None:
            return None
        return _calculated(step, inside, operand)

    def _of(self, computation: str) -> dict[str, str]:
        known = self._lines.get(computation)
        if known is None:
            lines = self._module.computations.get(computation, ())
            known = {found[2]: line for line in lines if (found := _NAME.match(line))}
            known |= {"": next((line for line in lines if line.lstrip().startswith("ROOT ")), "")}
            self._lines[computation] = known
        return known

    def _root(self, computation: str) -> str:
        found = _NAME.match(self._of(computation).get("", ""))
        return found[2] if found else ""


def _calculated(step: hlo.Instruction, inside: str, operand: Callable[[int], Value]) -> Value:
    """The value of an operation on integers."""
    if step.opcode == "constant":
        numbers = tuple({"true": 1, "false": 0}.get(text) or int(text.replace("false", "0"))
                        for text in _NUMBERS.findall(inside))  # fmt: skip
        return numbers[0] if numbers and "[]" in step.shape else numbers or None
    first = operand(0)
    if step.opcode in _SAME:
        flat = first[0] if isinstance(first, tuple) and len(first) == 1 and "[]" in step.shape else first
        return _wrapped(flat, step.shape) if isinstance(flat, int) else flat
    if step.opcode == "dynamic-slice":
        index = operand(1)
        if isinstance(first, tuple) and isinstance(index, int) and "[1]" in step.shape:
            return (first[min(max(index, 0), len(first) - 1)],)
        return None
    if "[]" not in step.shape:
        return None
    second, third = operand(1), operand(2)
    if step.opcode == "select":
        return None if not isinstance(first, int) else second if first else third
    if not isinstance(first, int):
        return None
    if step.opcode == "clamp" and isinstance(second, int) and isinstance(third, int):
        return min(max(second, first), third)
    return _wrapped(_arithmetic(step, first, second), step.shape)


def _arithmetic(step: hlo.Instruction, first: int, second: Value) -> int | None:
    direction = re.search(r"\bdirection=(\w+)", step.rest)
    match step.opcode:
        case "negate":
            return -first
        case "abs":
            return abs(first)
        case "sign":
            return (first > 0) - (first < 0)
        case "not":
            return 1 - first if step.shape.startswith("pred") else ~first
    if not isinstance(second, int):
        return None
    if step.opcode == "compare" and direction is not None:
        return int(_COMPARED[direction[1]](first, second))
    if step.opcode.startswith("shift-"):
        if not 0 <= second < 32 or (step.opcode == "shift-right-logical" and first < 0):
            return None
        return first << second if step.opcode == "shift-left" else first >> second
    if step.opcode in ("divide", "remainder") and second == 0:
        return None
    return _BINARY[step.opcode](first, second) if step.opcode in _BINARY else None


def _wrapped(value: int | None, shape: str) -> int | None:
    """A value in the range of its type."""
    found = _INTEGER.match(shape)
    if value is None or found is None:
        return None
    if found[1] == "pred":
        return int(bool(value))
    bits = int(found[1][1:])
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if found[1][0] == "s" and low >> (bits - 1) else low


def _inside(rest: str) -> str:
    """The operands: the text up to the closing parenthesis."""
    depth = 1
    for position, character in enumerate(rest):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return rest[:position]
    return rest
