"""Memory of windows that other ranks change in an epoch of fences, while the program uses it.

A `Put` or `Accumulate` is complete at its target after the next `Fence`: what the target reads before may be old or new
(MPI 4.1, section 12.7). A use that some synchronization orders before the operation is right. Only uses of the whole
memory count: halos and interior are often parts of one window.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from jaxmpi_lint.interpreter.events import Access, Event
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.arrays import Array
    from jaxmpi_lint.interpreter.events import CommunicatorView
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_CHANGING = frozenset({"Put", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap"})


class Window(Protocol):
    """What is asked of a window (see `windows.Window`)."""

    @property
    def communicator(self) -> CommunicatorView:
        """Its ranks."""

    locks: dict[int, Event]
    is_fenced: bool | None
    fences: int
    is_vague: bool
    started: Event | None


@dataclass(slots=True)
class Epoch:
    """What the ranks did between two fences: their first use of the memory, and the operations that change it.

    A use has the place, what was done, and the clock; an operation its target in the communicator of the window, None
    if it is not known.
    """

    uses: dict[int, tuple[Event, str, tuple[int, ...]]] = field(default_factory=dict)
    changes: list[tuple[Event, int, int | None]] = field(default_factory=list)
    is_told: bool = False


@dataclass(slots=True, eq=False)
class Exposure:
    """The memory of a rank that a window gives to the others, among the uses of its array."""

    window: Window
    array: Array
    kind: Kind = Kind.EPOCH
    writes: bool = True
    is_told: bool = False


def expose(window: Window, array: Array) -> None:
    """Note that an array is the memory of a window."""
    array.store.uses.append(Exposure(window, array))


def use(rank: Rank, exposure: Exposure, how: str, part: Array, place: Any) -> None:
    """The program reads or writes a part of the memory of its window."""
    window = exposure.window
    if part.selection is not None or part.size != exposure.array.size or not _is_between_fences(window):
        return
    epoch = _epoch(rank, window)
    clock = rank.world.accesses.tick(rank.number)
    epoch.uses.setdefault(rank.number, (Access(place, how), how, clock))
    for event, number, target in epoch.changes:
        if number != rank.number and target in (None, window.communicator.number):
            _tell(rank, window, epoch, (event, number, target), rank.number)


def change(rank: Rank, window: Window, name: str, event: Event, target: int | None) -> None:
    """An operation of a rank changes the memory of another one, None for an unknown one."""
    if name not in _CHANGING or not _is_between_fences(window):
        return
    epoch = _epoch(rank, window)
    epoch.changes.append((event, rank.number, target))
    clock = rank.world.accesses.clock(rank.number)
    members = window.communicator.members or ()
    for number, (_, _, before) in sorted(epoch.uses.items()):
        is_target = target is None or members.index(number) == target
        if is_target and number != rank.number and clock[number] < before[number]:
            _tell(rank, window, epoch, epoch.changes[-1], number)


def _is_between_fences(window: Window) -> bool:
    """Whether nothing but fences orders the operations."""
    return window.is_fenced is True and not (window.locks or window.is_vague or window.started)


def _epoch(rank: Rank, window: Window) -> Epoch:
    key = ("epoch of a window", window.communicator.identity, window.fences)
    found: Epoch = rank.world.notes.setdefault(key, Epoch())
    return found


def _tell(rank: Rank, window: Window, epoch: Epoch, changed: tuple[Event, int, int | None], user: int) -> None:
    """Report a use of memory that an operation changes; where its target is not known, all ranks must use theirs."""
    event, number, target = changed
    if epoch.is_told or (target is None and len(epoch.uses) < len(window.communicator.members or ())):
        return
    epoch.is_told = True
    access, how, _ = epoch.uses[user]
    whose = f"rank {number}" if target is not None else "a rank"
    detail = (
        f"rank {user} {_WORDS[how]} the memory of its window, which `{event.label}` of {whose} changes in this epoch"
    )
    rank.world.report(Fault(Kind.EXPOSED, access, user, number, event, detail))


_WORDS = {"read": "reads", "written": "writes"}
