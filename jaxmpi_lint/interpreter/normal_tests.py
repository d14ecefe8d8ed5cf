"""Tests in a normal form: equal keys for equal tests, with the constants of a comparison on its right side."""

from __future__ import annotations

from math import inf

from jaxmpi_lint.interpreter.symbols import Symbol

_NEGATED = {"!=": "==", "is not": "is", "not in": "in", "<": ">=", "<=": ">"}
_CONSTANTS = ("int", "float", "str", "bool", "NoneType")
_COLLECTIONS = (("list",), ("tuple",), ("set",), ("frozenset",))

_MIRRORED = {"==": "==", "!=": "!=", "is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

_ORDERED = (">", ">=")
MAX_SUMS = 32
"""Additions of constants that are taken to the right side."""

_ELEMENTS = frozenset(("str", word) for word in ("cell", "part", "element", "item"))

_PARTS_OF_ELEMENTS = frozenset({("str", "unpacked")})
"""With the elements, what each iteration looks for in several lists, so that some iteration finds it in each."""


def normal(symbol: Symbol) -> tuple[object, bool]:
    """The symbol of the test, and whether the outcome is its own or the opposite."""
    key = symbol.key
    if len(key) == 4 and _word(key[0]) == "operation":
        operator, left, right = _word(key[1]), key[2], key[3]
        if isinstance(right, Symbol) and not isinstance(left, Symbol) and operator in _MIRRORED:
            operator, left, right = _MIRRORED[operator], right, left
        left, right = _shifted(left, right)
        if operator in _NEGATED:
            return ("test", _NEGATED[operator], left, right), False
        if operator in ("==", "is", "in", ">", ">="):
            return ("test", operator, left, right), True
    left, right = _shifted(symbol, ("int", 0))
    return (("truth", symbol), True) if left is symbol else (("test", "==", left, right), False)


def _shifted(left: object, right: object) -> tuple[object, object]:
    """The sides of a comparison with a whole number, with all constants on one side: ``n - 1 > 0`` is ``n > 1``."""
    match right:
        case ("int", int(number)):
            pass
        case _:
            return left, right
    for _ in range(MAX_SUMS):
        match left:
            case Symbol(key=(("str", "operation"), ("str", "-" | "+" as sign), Symbol() as rest, ("int", int(more)))):
                left, number = rest, number + more if sign == "-" else number - more
            case _:
                break
    return left, ("int", number)


def _word(frozen: object) -> str:
    return frozen[1] if isinstance(frozen, tuple) and len(frozen) == 2 and isinstance(frozen[1], str) else ""


def by_default(key: object) -> bool:
    """Tests hold by default, ``x is None`` and ``x >= inf`` do not."""
    return not (isinstance(key, tuple) and len(key) == 4 and (key[1] == "is" or key[3] == ("float", inf)))


def is_with_infinity(key: object) -> bool:
    """Whether a test compares with infinity, as with the best value before the first one is known."""
    return isinstance(key, tuple) and len(key) == 4 and key[3] in (("float", inf), ("float", -inf))


def comparison(key: object) -> tuple[Symbol, str, object] | None:
    """A test that compares a symbol with a constant; the truth of a symbol compares it with nothing."""
    if isinstance(key, tuple) and len(key) == 4 and key[0] == "test" and isinstance(key[2], Symbol):
        constants = _constants((key[3],))
        if constants is not None:
            return key[2], str(key[1]), constants[0]
        items = _constants(key[3][1:]) if isinstance(key[3], tuple) and key[3][:1] in _COLLECTIONS else None
        if items is not None and key[1] == "in" and key[2].key[0] not in _ELEMENTS | _PARTS_OF_ELEMENTS:
            return key[2], "in", items
    if isinstance(key, tuple) and len(key) == 2 and key[0] == "truth" and isinstance(key[1], Symbol):
        return key[1], "truth", None
    return None


def _constants(frozen: tuple[object, ...]) -> tuple[object, ...] | None:
    """The values of frozen constants; None if some are not constant."""
    found = [one for one in frozen if isinstance(one, tuple) and len(one) == 2 and one[0] in _CONSTANTS]
    return tuple(one[1] for one in found) if len(found) == len(frozen) else None


def is_mark(symbol: Symbol, outcome: bool) -> bool:
    """Whether a test has the outcome that an element of a container is equal to a number, or beyond it."""
    key, truth = normal(symbol)
    parts = comparison(key)
    if parts is None or parts[0].key[0] not in _ELEMENTS or not isinstance(parts[2], (int, float)):
        return False
    return parts[1] in _ORDERED or (parts[1] == "==" and outcome is truth)
