"""Windows of one-sided communication, as one rank sees them: which epochs are open, and what they use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.buffers import Use
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.events import Event
from jaxmpi_lint.interpreter.exposures import expose
from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.values import Method, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

ANY = -1


@dataclass(slots=True, eq=False)
class Window(Modelled):
    """`MPI.Win`: ``communicator`` stands for the ranks that made it, ``unit`` are the bytes of a displacement.

    ``locks`` has the calls that locked a rank, that of `Lock_all` under -1. ``is_fenced`` is None if a fence may or may
    not have opened an epoch, ``fences`` counts the fences. ``is_vague`` if a lock of an unknown rank was taken or given
    back. ``shared`` are the ranks whose locks are shared, ``read`` the places that this rank has got under them.
    """

    communicator: Communicator
    memory: Any = None
    unit: int | None = None
    locks: dict[int, Event] = field(default_factory=dict)
    is_fenced: bool | None = False
    fences: int = 0
    is_vague: bool = False
    started: Event | None = None
    posted: Event | None = None
    is_freed: bool = False
    uses: list[Use] = field(default_factory=list)
    shared: set[int] = field(default_factory=set)
    read: set[tuple[int, int]] = field(default_factory=set)
    type_name = "window"

    def freeze(self, _depth: int) -> object:
        """The identity, equal on all ranks."""
        return "window", self.communicator.identity

    def truth(self, rank: Rank) -> bool:
        """False for WIN_NULL, as after `Free`."""
        return not self.is_freed

    def attribute(self, rank: Rank, name: str) -> Value:
        """The memory, or a method."""
        if name == "memory":
            return self.memory if self.memory is not None else WindowMemory(self)
        if name in ("name", "attrs", "info", "model", "flavor"):
            return rank.symbol("window", self, name)
        return Method(self, name)

    def as_array(self, rank: Rank, dtype: str) -> Array:
        """The memory of this rank as an array, as `numpy.frombuffer` makes it."""
        if not isinstance(self.memory, Array):
            self.memory = arrays.unknown(rank.symbol("memory", self, rank.number), dtype)
            expose(self, self.memory)
        return Array(self.memory.store, self.memory.shape, dtype, self.memory.indices, self.memory.span)

    def may_access(self, target: int | None) -> bool:
        """Whether an operation on the memory of a rank can lie in an epoch."""
        if self.is_fenced is not False or self.is_vague or self.started is not None or ANY in self.locks:
            return True
        return bool(self.locks) if target is None else target in self.locks

    def is_shared(self, target: int) -> bool:
        """Whether this rank accesses another one under a shared lock only."""
        if self.is_vague or self.is_fenced is not False or self.started is not None:
            return False
        return target in self.shared if target in self.locks else ANY in self.locks

    def unlocked(self, target: int | None = None) -> None:
        """The lock of one rank, or of all, is given back: others may have changed its memory from now on."""
        self.shared -= {target} if target is not None else set(self.shared)
        self.read = {place for place in self.read if target is not None and place[0] != target}

    def end_uses(self, target: int | None = None) -> None:
        """The operations on one rank, or all, are over: their buffers belong to the program again."""
        for use in list(self.uses):
            if target is None or use.target in (None, target):
                use.end()
                self.uses.remove(use)


@dataclass(frozen=True, slots=True, eq=False)
class WindowMemory(Modelled):
    """The bytes of a window that MPI has allocated, before an array is made of them."""

    window: Window
    type_name = "window memory"

    def freeze(self, _depth: int) -> object:
        """The window."""
        return "memory", self.window.communicator.identity


def forget(window: Window) -> None:
    """Give up a window that becomes part of what is not followed: nothing is known of its epochs any more."""
    window.is_vague, window.is_fenced = True, None
    window.locks.clear()
    window.started = window.posted = None
    window.end_uses()


def open_at_end(world: World) -> Fault | None:
    """A lock that is held when the program ends."""
    if world.is_bounded:
        return None
    for members in world.windows.values():
        for number, window in sorted(members.items()):
            if world.processes[number].has_failed or window.is_freed:
                continue
            for event in window.locks.values():
                if not world.sampled_frames.intersection(event.place.paths):
                    return Fault(Kind.EPOCH, event, number, detail=f"this {event.label} is never unlocked")
    return None
