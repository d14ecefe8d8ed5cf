"""Sources of `multihost_utils.broadcast_one_to_all`: it adds up what all of them pass.

Each process says for itself whether it is the source. If that depends on its own files or draws, nothing makes it true
on exactly one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.path_parts import is_made_by_rank, maker
from jaxmpi_lint.interpreter.symbols import Symbol, reachable
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_TOGETHER = frozenset({"shared", "share"})
"""Results of collectives."""

_DETAILS = {
    True: "process {} and process {} are both sources of this `{}`, which adds up what they pass",
    False: "each process decides by its own files or draws whether it is the source of this `{2}`",
}


def check(world: World, present: dict[int, Collective]) -> None:
    """Report a broadcast with several sources, or of which each process decides for itself that it is the source."""
    given = {number: event.extra["source"] for number, event in sorted(present.items())}
    sources = [number for number, source in given.items() if source is True]
    are_own = all(map(_is_own, given.values())) and len(given) > 1
    if not are_own and (len(sources) < 2 or any(map(_is_of_several, world.decisions.made))):
        return
    one, other = sources[:2] if sources else list(given)[:2]
    event = present[one]
    detail = _DETAILS[bool(sources)].format(one, other, event.label)
    world.report(Fault(Kind.SOURCES, event, one, other, present[other], detail))


def _is_own(source: Value) -> bool:
    """Whether a process computes a value from its own files, draws or times alone."""
    is_own = isinstance(source, Symbol) and bool(source.own) and not source.is_guess
    return is_own and not _is_of_several(source)


def _is_of_several(value: object) -> bool:
    """Whether a value is computed from what several processes have: they may have agreed on a source."""
    found = reachable((value,))
    makers = {maker(one) for one in found if is_made_by_rank(one)}
    return len(makers) > 1 or any(not _TOGETHER.isdisjoint(one.words(0)) or "received" in one.own for one in found)
