"""Ranks and numbers of ranks: integers that are computed from a communicator."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

SIZES = (2, 3, 4)
"""Numbers of ranks with which programs are run."""


class RankNumber(int):
    """The rank in a communicator, or a number computed from it.

    A peer that is such a number must exist whatever the size is; a constant one says for how many ranks a program is.
    """

    __slots__ = ()


class RankCount(RankNumber):
    """The size of a communicator, or a number computed from one.

    A program whose peers or loops depend on such a number is made for every number of ranks; one with constant peers
    is made for as many ranks as it names.
    """

    __slots__ = ()


def names_other_size(left: Any, right: Any) -> bool:
    """Whether a comparison asks for a number of ranks with which the program is not run."""
    count, other = (left, right) if isinstance(left, RankCount) else (right, left)
    return isinstance(count, RankCount) and type(other) is int and other > SIZES[-1]


def _wrapped(name: str, is_reflected: bool) -> Callable[[RankNumber, Any], Any]:
    apply = getattr(operator, name)

    def method(self: RankNumber, other: Any) -> Any:
        plain = int(other) if isinstance(other, RankNumber) else other
        result = apply(plain, int(self)) if is_reflected else apply(int(self), plain)
        if not isinstance(result, int) or isinstance(result, bool):
            return result
        counts = isinstance(self, RankCount) or isinstance(other, RankCount)
        return RankCount(result) if counts else RankNumber(result)

    return method


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(RankNumber, f"__{_name}__", _wrapped(_name, False))
    setattr(RankNumber, f"__r{_name}__", _wrapped(_name, True))
