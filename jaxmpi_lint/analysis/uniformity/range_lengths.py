"""Lengths of ranges and slices with two bounds that depend on the rank: ``range(rank * k, (rank + 1) * k)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import RankOf
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Value

_SIZES = (2, 3, 4)
_SAMPLES = (101, 211)
"""Numbers for names of which nothing but their uniformity is known; no size divides them."""


def distance_differs(
    function: Function, bounds: Sequence[ir.Expression], values: Sequence[Value], env: Environment
) -> bool | None:
    """Whether the distance of two bounds differs between ranks; None if it is not known."""
    groups = {value.content.groups for value in values[:2]}
    if len(groups) != 1 or any(value.content.level is not Level.RANK for value in values[:2]):
        return None
    return _sampled(function, bounds, env, groups)


def steps_differ(
    function: Function, bounds: Sequence[ir.Expression], values: Sequence[Value], env: Environment
) -> bool | None:
    """Whether the number of steps from a start that depends on the rank differs; None if it is not known.

    ``range(rank, rounds * size, size)`` has equally many items on all ranks.
    """
    if values[0].content.level is not Level.RANK:
        return None
    return _sampled(function, bounds, env, {values[0].content.groups})


def _sampled(
    function: Function, bounds: Sequence[ir.Expression], env: Environment, groups: set[frozenset[str]]
) -> bool | None:
    found = [_differs(function, bounds, env, next(iter(groups)), sample) for sample in _SAMPLES]
    return found[0] if found[0] == found[1] else None


def _differs(
    function: Function, bounds: Sequence[ir.Expression], env: Environment, groups: frozenset[str], sample: int
) -> bool | None:
    outcomes: list[bool] = []
    for size in _SIZES:
        lengths: set[int] = set()
        for rank in range(size):
            world = _Sampled(Member(rank, size, groups), sample)
            lower, upper, *step = (world.number(function, bound, env) for bound in bounds)
            if lower is None or upper is None or None in step or 0 in step:
                return None
            lengths.add(len(range(lower, upper, *(one for one in step if one is not None))))
        outcomes.append(len(lengths) > 1)
    return any(outcomes)


class _Sampled(OneRank):
    """One rank, where names that are not known to differ stand for an arbitrary number."""

    def __init__(self, member: Member, sample: int) -> None:
        super().__init__(member)
        self._sample = sample

    def number(self, function: Function, expression: ir.Expression, env: Environment, depth: int = 0) -> int | None:
        """An integer or a truth value, or None."""
        found = super().number(function, expression, env, depth)
        if found is not None or not isinstance(expression, (ir.Name, ir.Attribute, ir.Call)):
            return found
        if isinstance(expression, ir.Call) and (ir.dotted(expression.func) or "") not in ("len", "int"):
            return None
        value = function.value(expression, env)
        other_rank = isinstance(value.entity, RankOf) or value.content.level.diverges
        return None if other_rank else self._sample
