"""What comparisons of a whole number with constants say about a further one."""

from __future__ import annotations

import math
from collections.abc import Iterable

Comparison = tuple[str, object, object]
"""Operator (``truth`` is the number as a test), constant, outcome."""


def is_of_one(operator: str, constant: object) -> bool:
    """Whether a comparison is one with a whole number, not with None, a fraction or several values."""
    return operator == "truth" or (operator in ("==", ">", ">=") and isinstance(constant, int))


def implied(known: Iterable[Comparison], operator: str, constant: object) -> bool | None:
    """The outcome of a comparison that follows from others; None if both are possible."""
    least, most, excluded = _possible(known)
    if least > most:
        return None
    if operator == "truth":
        return _is_not(0, least, most, excluded)
    if not isinstance(constant, int):
        return None
    if operator == "==":
        differs = _is_not(constant, least, most, excluded)
        return None if differs is None else not differs
    if operator in (">", ">="):
        bound = constant + 1 if operator == ">" else constant
        return True if least >= bound else False if most < bound else None
    return None


def _possible(known: Iterable[Comparison]) -> tuple[float, float, set[int]]:
    """The bounds of a number, and numbers between them that it is not."""
    least, most, excluded = -math.inf, math.inf, set[int]()
    for operator, constant, outcome in known:
        number = 0 if operator == "truth" else constant
        if not isinstance(number, int):
            continue
        if operator in (">", ">="):
            bound = number + 1 if operator == ">" else number
            least, most = (max(least, bound), most) if outcome else (least, min(most, bound - 1))
        elif operator in ("==", "truth"):
            if outcome is (operator == "=="):
                least, most = max(least, number), min(most, number)
            else:
                excluded.add(number)
    while least in excluded:
        least += 1
    while most in excluded:
        most -= 1
    return least, most, excluded


def _is_not(number: int, least: float, most: float, excluded: set[int]) -> bool | None:
    """Whether a number is none that is possible; None if it is one of several."""
    if number in excluded or not least <= number <= most:
        return True
    return False if least == most else None
