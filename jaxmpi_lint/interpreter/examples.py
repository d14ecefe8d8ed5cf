"""Numbers and shapes for an example of what is not known: with 11 rows, ``rows // 2`` is 5.

Numbers and shapes are given frozen. What is computed by something that has no rule here is not known, nor is what
depends on data of single ranks: two ranks may have equally many by construction.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jaxmpi_lint.interpreter.symbols import Symbol

Shape = tuple[int, ...]
Number = int | float

OPERATORS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[[Number], Number]] = {
    "int": int, "abs": abs, "ceil": math.ceil, "floor": math.floor, "round": round, "float": float, "bool": bool,
}  # fmt: skip
_OF_SEVERAL: Mapping[str, Callable[[Sequence[Number]], Number]] = {"sum": sum, "min": min, "max": max}
_MADE = frozenset({"filled", "uninitialised"})
_SHAPED = frozenset(
    """normal random random_sample uniform standard_normal integers randint standard_exponential exponential poisson
    """.split()
)
"""Draws of which the argument ``size`` is the shape."""

_KEEPING = frozenset(
    """abs absolute array asarray ascontiguousarray astype conj copy cos exp float32 float64 int32 int64 log negative
    sin sort sqrt square tan""".split()
)
"""Functions and methods whose result has the shape of what they are given."""

_READ = frozenset(("str", word) for word in ("option", "item", "attribute", "environ", "field"))
_DEEPEST = 24
_NOTHING = ("NoneType", None)


@dataclass(slots=True)
class Example:
    """``given`` are the numbers that are assumed; ``missing`` collects those that are asked for and have none."""

    given: Mapping[Symbol, int]
    missing: dict[Symbol, None] = field(default_factory=dict)
    _numbers: dict[Symbol, Number | None] = field(default_factory=dict)
    _shapes: dict[Symbol, Shape | None] = field(default_factory=dict)

    def number(self, frozen: object, depth: int = 0) -> Number | None:
        """A number that follows from those given."""
        match frozen:
            case ("int" | "bool" | "float", int() | float() as known):
                return known
            case Symbol() if depth < _DEEPEST:
                if frozen not in self._numbers:
                    self._numbers[frozen] = self._known_or_assumed(frozen, depth + 1)
                return self._numbers[frozen]
        return None

    def size(self, frozen: object) -> int | None:
        """The number of elements of an array."""
        shape = self.shape(frozen)
        return None if shape is None else math.prod(shape)

    def shape(self, frozen: object, depth: int = 0) -> Shape | None:
        """The shape of an array."""
        match frozen:
            case ("array", tuple() as known, *_):
                return known
            case ("array", None, _, _, Symbol() as selected) | ("array", None, _, Symbol() as selected, _):
                return self._shape(selected, depth + 1)
            case Symbol():
                return self._shape(frozen, depth + 1)
        return None

    def numbers(self, frozen: object) -> tuple[int, ...] | None:
        """Whole numbers in a list or array."""
        match frozen:
            case ("list" | "tuple", *items):
                return self._whole(items, 0)
            case ("array", _, _, tuple() as cells, _):
                return self._whole(cells, 0)
            case ("array", None, _, Symbol(key=(("str", "array"), listed)), _):
                return self.numbers(listed)
        return None

    # --- numbers ---

    def _known_or_assumed(self, symbol: Symbol, depth: int) -> Number | None:
        try:
            found = None if _is_converted(symbol) else self._computed(symbol, depth)
        except (ArithmeticError, ValueError):  # no whole number, such as ``int(inf)``
            return None
        return self._assumed(symbol) if found is None else found

    def _assumed(self, symbol: Symbol) -> int | None:
        """The number that is given for a symbol, if it is the same for all ranks."""
        if symbol in self.given:
            return self.given[symbol]
        if _is_read(symbol):
            self.missing[symbol] = None
        return None

    def _whole(self, items: Iterable[object], depth: int) -> tuple[int, ...] | None:
        found = [self.number(item, depth) for item in items]
        known = [int(one) for one in found if one is not None and math.isfinite(one) and one == int(one)]
        return tuple(known) if len(known) == len(found) else None

    def _computed(self, symbol: Symbol, depth: int) -> Number | None:
        match symbol.key:
            case (("str", "operation"), ("str", str() as name), left, right) if name in OPERATORS:
                return self._operation(name, left, right, depth)
            case (("str", "operation"), ("str", "-"), operand):
                found = self.number(operand, depth)
                return None if found is None else -found
            case (("str", "length"), items):
                return (self.shape(items, depth) or (None,))[0]
            case (("str", "size"), items):
                shape = self.shape(items, depth)
                return None if shape is None else math.prod(shape)
            case (
                ("str", "item"),
                Symbol(key=(("str", "call"), ("library", "numpy.shape"), whole, *_)),
                ("int", int(axis)),
            ):
                shape = self.shape(whole, depth)
                return None if shape is None or not -len(shape) <= axis < len(shape) else shape[axis]
            case (("str", "call"), ("library", "numpy.size"), whole, ("dict",)):
                shape = self.shape(whole, depth)
                return None if shape is None else math.prod(shape)
            case (("str", "call"), called, *arguments):
                return self._call(_name(called), [one for one in arguments if one != ("dict",)], depth)
        return None

    def _operation(self, name: str, left: object, right: object, depth: int) -> Number | None:
        one, other = self.number(left, depth), self.number(right, depth)
        if one is None or other is None or (name in ("/", "//", "%") and other == 0):
            return None
        return OPERATORS[name](one, other)

    def _call(self, name: str, arguments: list[object], depth: int) -> Number | None:
        match arguments:
            case [("list" | "tuple", *items)] if name in _OF_SEVERAL:
                arguments = items
            case [one] if name in _FUNCTIONS:
                known = self.number(one, depth)
                return None if known is None else _FUNCTIONS[name](known)
        found = [self.number(one, depth) for one in arguments]
        known_ones = [one for one in found if one is not None]
        if name not in _OF_SEVERAL or len(known_ones) < len(found) or not found:
            return None
        return _OF_SEVERAL[name](known_ones)

    # --- shapes ---

    def _shape(self, symbol: Symbol, depth: int) -> Shape | None:
        if depth > _DEEPEST:
            return None
        if symbol not in self._shapes:
            try:
                self._shapes[symbol] = self._shape_made(symbol, depth)
            except (ArithmeticError, ValueError):  # more elements than there can be, a step of zero
                self._shapes[symbol] = None
        return self._shapes[symbol]

    def _shape_made(self, symbol: Symbol, depth: int) -> Shape | None:
        match symbol.key:
            case (("str", str() as name), shape, *_) if name in _MADE:
                return self._as_shape(shape, depth)
            case (("str", "random"), _, ("str", str() as name), size, *_) if name in _SHAPED:
                return self._as_shape(size, depth)
            case (("str", "range" | "arange"), *bounds):
                known = self._whole(bounds, depth)
                return None if known is None or 0 in known[2:] else (len(range(*known)),)
            case (("str", "part"), whole, index):
                return self._part(whole, index, depth)
            case (("str", "reshaped"), whole, shape, _):
                return self._reshaped(whole, shape, depth)
            case (("str", "operation"), ("str", _), *operands):
                return self._common(operands, depth)
            case (("str", "call"), ("method", str() as name, whole), *_) if name in _KEEPING:
                return self.shape(whole, depth)
            case (("str", "call"), ("library", str() as dotted), whole, *_) if _last(dotted) in _KEEPING:
                return self.shape(whole, depth)
        return None

    def _as_shape(self, shape: object, depth: int) -> Shape | None:
        match shape:
            case ("tuple" | "list", *lengths):
                known = self._whole(lengths, depth)
            case ("array", *_):
                return self.shape(shape, depth)
            case _:
                known = self._whole((shape,), depth)
        return known if known is not None and all(one >= 0 for one in known) else None

    def _part(self, whole: object, index: object, depth: int) -> Shape | None:
        """The shape of a part by slices and whole numbers."""
        shape = self.shape(whole, depth)
        match index:
            case ("tuple", *keys):
                pass
            case _:
                keys = [index]
        if shape is None or len(keys) > len(shape):
            return None
        found: list[int] = []
        for length, key in zip(shape, keys, strict=False):
            match key:
                case ("slice", ("tuple", *bounds)):
                    known = [None if bound == _NOTHING else self.number(bound, depth) for bound in bounds]
                    if any(one is None and bound != _NOTHING for one, bound in zip(known, bounds, strict=True)):
                        return None
                    found.append(len(range(length)[slice(*(None if one is None else int(one) for one in known))]))
                case _ if self.number(key, depth) is None:
                    return None
        return (*found, *shape[len(keys) :])

    def _reshaped(self, whole: object, shape: object, depth: int) -> Shape | None:
        before, wanted = self.shape(whole, depth), None
        match shape:
            case ("tuple" | "list", *lengths):
                wanted = self._whole(lengths, depth)
            case _:
                wanted = self._whole((shape,), depth)
        if before is None or wanted is None or sum(one < 0 for one in wanted) > 1:
            return None
        total, known = math.prod(before), math.prod(one for one in wanted if one >= 0)
        if any(one < 0 for one in wanted):
            return tuple(total // known if one < 0 else one for one in wanted) if known and not total % known else None
        return tuple(wanted) if known == total else None

    def _common(self, operands: list[object], depth: int) -> Shape | None:
        """The shape of a result that is computed element by element."""
        shapes = [() if self.number(one, depth) is not None else self.shape(one, depth) for one in operands]
        known = [one for one in shapes if one is not None]
        longest = max(known, key=len, default=())
        return longest if len(known) == len(shapes) and all(one in ((), longest) for one in known) else None


def _is_read(symbol: Symbol) -> bool:
    """Whether a symbol is a number that the program reads, and all ranks the same."""
    if symbol.own or symbol.is_guess or symbol.kind not in ("", "int"):
        return False
    return symbol.key[0] in _READ or _is_converted(symbol)


def _is_converted(symbol: Symbol) -> bool:
    """Whether a number is made from a text that the program reads."""
    match symbol.key:
        case (("str", "call"), ("library", "builtins.int"), Symbol(key=(head, *_)), *_):
            return head in _READ
    return False


def _name(called: object) -> str:
    """The name of a function of numbers; the methods of objects and other libraries have none."""
    match called:
        case ("library", str() as dotted) if dotted.startswith(("builtins.", "math.", "numpy.")):
            return _last(dotted)
        case ("str", str() as name):
            return name
    return ""


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]
