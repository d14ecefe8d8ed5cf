"""Which ranks reach a block, for small numbers of ranks, where the tests around it can be computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import WORLD

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.conditions.guards import Guard
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

SIZES = (2, 3, 4)


def members(size: int, groups: frozenset[str] = frozenset({WORLD})) -> list[Member]:
    """The ranks of a world of a given size."""
    return [Member(rank, size, groups) for rank in range(size)]


def reaches(function: Function, block: int, member: Member) -> bool | None:
    """Whether a rank reaches a block of a function that it runs; None if a test depends on more than the rank."""
    outcomes = [_holds(function, guard, member) for guard in guards(function, block)]
    if False in outcomes:
        return False
    return None if None in outcomes else True


def _holds(function: Function, guard: Guard, member: Member) -> bool | None:
    env = function.flow.environment_before(guard.block, None)
    test = guard.branch.test
    found = _has_items(function, test, env, member) if isinstance(test, ir.Element) else None
    if not isinstance(test, ir.Element):
        found = OneRank(member).decide(function, test, env)
    if isinstance(test, ir.Element) and not guard.truth:
        return True  # every loop ends
    return None if found is None else found is guard.truth


def _has_items(function: Function, loop: ir.Element, env: Environment, member: Member) -> bool | None:
    """Whether a loop over a range runs at all."""
    match loop.iterable:
        case ir.Call(func=ir.Name(id="range"), args=args) if args and not any(one.star or one.keyword for one in args):
            bounds = [OneRank(member).number(function, one.value, env) for one in args]
            known = [bound for bound in bounds if bound is not None]
            if len(known) == len(bounds) and (len(known) < 3 or known[2] != 0):
                return bool(range(*known))
    return None
