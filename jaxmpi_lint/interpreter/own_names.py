"""Texts with the number of the own rank in them, as names of files have it: ``f"{case}-{rank}.npy"``."""

from __future__ import annotations

from collections.abc import Mapping

from jaxmpi_lint.interpreter.symbols import Symbol

_MAKERS = frozenset({("str", "text"), ("str", "formatted")})
_DEPTH = 3  # a name in a path in a message


def compares_own_names(key: object, number: int) -> bool:
    """Whether a test asks if two texts are the same that both have the number of the rank in them.

    The other ranks compare texts that differ from these by the number only, so that their answer is the same.
    """
    match key:
        case ("test", "==", Symbol() as left, Symbol() as right):
            return all(_has_number(text, number, _DEPTH) for text in (left, right))
    return False


def compares_with_nothing(key: object, made: Mapping[object, object]) -> bool:
    """Whether a test asks if a text that has a constant part is None, or is a value that the choices ``made`` deny."""
    match key:
        case ("test", "==", Symbol() as text, other) if text.key and text.key[0] in _MAKERS:
            is_nothing = other == ("NoneType", None) or made.get(("truth", other)) is False
            return is_nothing and any(_is_filled(part) for part in text.key[1:])
    return False


def _is_filled(part: object) -> bool:
    match part:
        case ("str", str(text)):
            return "{" not in text and bool(text)
        case ("int" | "float", _):
            return True
    return False


def _has_number(text: Symbol, number: int, depth: int) -> bool:
    if depth == 0 or not text.key or text.key[0] not in _MAKERS:
        return False
    return any(_is_number(part, number) for part in text.key[1:]) or any(
        _has_number(part, number, depth - 1) for part in text.operands
    )


def _is_number(part: object, number: int) -> bool:
    match part:
        case ("int", value):
            return bool(value == number)
        case ("str", str(digits)) if digits.strip().isdecimal():
            return int(digits) == number  # with the zeros of its format
    return False
