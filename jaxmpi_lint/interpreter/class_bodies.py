"""Facts about classes that their text alone says: the order of bases, the settings of decorators."""

from __future__ import annotations

from typing import Any

from jaxmpi_lint.analysis import ir


def has_setting(found: ir.Class, *keywords: str) -> bool:
    """Whether a decorator has one of some keywords with the value True."""
    calls = (one for one in found.decorators if isinstance(one, ir.Call))
    settings = (argument for call in calls for argument in call.args if argument.keyword in keywords)
    return any(isinstance(one.value, ir.Constant) and one.value.value is True for one in settings)


def merged(orders: list[list[Any]]) -> list[Any]:
    """One order that keeps those of all bases (C3 linearization); classes that do not fit come as they are written."""
    found: list[Any] = []
    left = [list(one) for one in orders if one]
    while left:
        heads = (one[0] for one in left)
        chosen = next((head for head in heads if not any(head in one[1:] for one in left)), left[0][0])
        found.append(chosen)
        left = [rest for one in left if (rest := [item for item in one if item is not chosen])]
    return found
