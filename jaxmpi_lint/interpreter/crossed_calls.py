"""Two collectives of one kind that two ranks call in different order, so that each meets the other one.

A value that is computed when it is first read, by a collective, meets a later collective of the ranks that read it
later: nothing hangs, and both results are wrong. Ranks that call the same two lines in different order are found
if one of them has passed the statement in which the other one calls. Alternatives of a test, and the passes of a loop,
may communicate in place of each other on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Collective, Place
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_Site = tuple[str, ir.Span]
_NOTE = "pairs of collectives that met"
_LOOPS = frozenset({"for", "while", "comprehension"})
_WITHOUT_VALUES = frozenset({"barrier", "ibarrier"})


def check(world: World, present: dict[int, Collective]) -> Fault | None:
    """The first meeting of two calls that meet the other way round as well; call it for all collectives."""
    first = min(present)
    for number, event in present.items():
        mine = present[first]
        if _site(mine.place) == _site(event.place) or event.kind.lower() in _WITHOUT_VALUES:
            continue
        met: dict[object, tuple[Fault, bool]] = world.notes.setdefault(_NOTE, {})
        ranks = (event.communicator.identity, first, number)
        is_passed = _is_passed(world, {first: mine, number: event})
        crossed = met.get((ranks, _site(event.place), _site(mine.place)))
        if crossed is not None and (is_passed or crossed[1]):
            return crossed[0]
        fault = Fault(Kind.MISMATCH, mine, first, number, event)
        met.setdefault((ranks, _site(mine.place), _site(event.place)), (fault, is_passed))
    return None


def _site(place: Place) -> _Site:
    return place.module.path, place.span


def _is_passed(world: World, pair: dict[int, Collective]) -> bool:
    """Whether one of the ranks has passed the statement from which the other one calls, in the same function."""
    if any("request" in event.extra for event in pair.values()):
        return False
    one, other = (world.processes[number].rank.frames for number in pair)
    shared = [(mine, theirs) for mine, theirs in zip(one, other, strict=False) if mine.path == theirs.path]
    if not shared:
        return False
    mine, theirs = shared[-1]
    return _follows(mine, theirs) or _follows(theirs, mine)


def _follows(later: Frame, earlier: Frame) -> bool:
    """Whether the current statement of a frame is executed after that of the other one, without loops and tests."""
    if later.span is None or earlier.span is None or later.span[0] <= earlier.span[0]:
        return False
    places = later.span[0], earlier.span[0]
    for block in later.function.blocks:
        branch = block.terminator
        if not isinstance(branch, ir.Branch):
            continue
        has_later, has_earlier = (branch.extent[0] <= place < branch.extent[1] for place in places)
        if (has_earlier and not has_later) or (branch.kind in _LOOPS and (has_earlier or has_later)):
            return False
    return later.block in _reachable(later.function, earlier.block)


def _reachable(function: ir.Function, start: int) -> set[int]:
    found, todo = {start}, [start]
    while todo:
        for block in function.blocks[todo.pop()].successors:
            if block not in found:
                found.add(block)
                todo.append(block)
    return found
