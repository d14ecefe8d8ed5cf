"""Texts with the number of the own rank in them, as names of files have it: ``f"{case}-{rank}.npy"``."""

from __future__ import annotations

from collections.abc import Mapping

from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.library.python.text_fields import FIELDS

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
        case ("test", "==", Symbol() as text, other) if is_filled(text):
            return other == ("NoneType", None) or made.get(("truth", other)) is False
    return False


def is_filled(text: Symbol, depth: int = _DEPTH) -> bool:
    """Whether a text has a constant part, so that it is not empty on any rank."""
    match text.key:
        case (("str", "text"), ("str", "!s" | "!r" | "!a"), *_) | ():
            return False
        case (("str", "text" | "formatted"), *parts):
            return any(_is_constant(part, depth) for part in parts)
        case (("str", "joined"), _, *parts):
            return any(_is_constant(part, depth) for part in parts)
        case (("str", "operation"), ("str", "+"), *parts) if any(_word(part) for part in parts):
            return any(_is_constant(part, depth) for part in parts)
        case (("str", "call"), ("library", "os.path.join"), *parts):
            return any(_is_constant(part, depth) for part in parts)
    return False


def _is_constant(part: object, depth: int) -> bool:
    match part:
        case ("str", str(text)):
            return bool(FIELDS.sub("", text))
        case ("int" | "float", _):
            return True
        case ("tuple", *parts):
            return any(_is_constant(one, depth) for one in parts)
        case Symbol() as text:
            return depth > 0 and is_filled(text, depth - 1)
    return False


def _word(part: object) -> str:
    return part[1] if isinstance(part, tuple) and len(part) == 2 and part[0] == "str" else ""


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
