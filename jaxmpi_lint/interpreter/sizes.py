"""Ranks and numbers of ranks: integers that are computed from a communicator."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView

SIZES = (2, 3, 4)
"""Numbers of ranks with which programs are run."""

LARGEST = 16
"""The largest number of ranks with which a program is run that names it, or a rank that needs it."""


_ROLES = 2


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


def note_comparison(world: WorldView, operator: str, left: Any, right: Any) -> None:
    """Record what a comparison shows of the numbers of ranks for which a program is made."""
    world.named_sizes.add(named_size(operator, left, right))
    if {type(left), type(right)} == {RankNumber, RankCount}:  # the last ranks
        world.compares_size = True
    count, other = (left, right) if isinstance(left, RankCount) else (right, left)
    if not isinstance(count, RankCount) or type(other) is not int:
        return
    if operator in ("==", "!=") and other > SIZES[-1]:
        world.names_other_size = True
    if count == world.size and count < other <= SIZES[-1] and operator == ("<" if count is left else ">"):
        world.is_too_small = True


def note_root(world: WorldView, number: Any, degree: int) -> None:
    """Record that a program takes a root of a number of ranks, as for a square of them; ``degree`` 0: of none.

    Ranks whose root is no integer are too few for it, and those of the next larger square or cube fit. The number of
    ranks may be without one or two that have a different role; other numbers are those of samples.
    """
    if not degree or not isinstance(number, RankCount) or not number >= 1 or abs(number - world.size) > _ROLES:
        return
    side = round(number ** (1 / degree))
    if side**degree == number:
        return
    world.is_too_small = True
    side += side**degree < number
    world.named_sizes.add(world.size + side**degree - number)


def root_degree(exponent: Any) -> int:
    """The degree of the root that a power is: 2 for ``size ** 0.5``; 0 for other powers."""
    return {0.5: 2, 1 / 3: 3}.get(exponent, 0) if isinstance(exponent, float) else 0


def named_size(operator: str, left: Any, right: Any) -> int:
    """The number of ranks that a comparison or division of a rank or a size names, or needs; 0 if it names none.

    ``size == 9`` and ``size < 9`` name 9 ranks, ``rank == 5`` needs 6, and ``rank // 4`` has two whole groups of 8.
    """
    if operator in ("//", "%"):
        is_grouped = isinstance(left, RankNumber) and not isinstance(left, RankCount) and type(right) is int
        return 2 * right if is_grouped and 2 < right <= LARGEST // 4 else 0
    number, other = (left, right) if isinstance(left, RankNumber) else (right, left)
    if not isinstance(number, RankNumber) or type(other) is not int:
        return 0
    if isinstance(number, RankCount):
        return other if operator in ("==", "!=", "<", ">=") else other + 1 if operator in ("<=", ">") else 0
    return other + 1 if operator in ("==", "!=") else 0


_OF_THRESHOLDS = frozenset({"//", "%", "==", "!=", "<", "<=", ">", ">=", "in", "not in"})


def threshold(operator: str, left: Any, right: Any) -> int:
    """The number with which an operation compares or divides a rank or a size, 0 if there is none.

    ``rank // 8`` and ``rank < 8`` are the same on all ranks below 8, so that fewer ranks show nothing.
    """
    if operator not in _OF_THRESHOLDS or isinstance(left, RankNumber) == isinstance(right, RankNumber):
        return 0
    other = right if isinstance(left, RankNumber) else left
    if isinstance(other, range | list | tuple) and operator in ("in", "not in"):
        return len(other)
    return abs(other) if type(other) is int else 0


def smaller_sizes(numbers: Iterable[Any]) -> set[int]:
    """The numbers of ranks from which the others of several numbers are less than the size among them."""
    found = list(numbers)
    if not any(isinstance(one, RankCount) for one in found):
        return set()
    return {one + 1 for one in found if type(one) is int}


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
