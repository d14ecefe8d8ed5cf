"""Communicators, groups and requests, as one rank sees them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.sizes import RankCount, RankNumber
from jaxmpi_lint.interpreter.values import Cut, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


@dataclass(slots=True, eq=False)
class Communicator(Modelled):
    """A communicator in one rank: ``identity`` is equal on all its members.

    ``members`` are ranks of the world in the order of the communicator, None if they are not known. ``number`` is the
    rank in it, None for a rank that is no member (COMM_NULL). ``remote`` are the ranks of the other group, if the
    communicator has two.
    """

    identity: int
    label: str
    members: tuple[int, ...] | None
    number: int | None
    is_freed: bool = False
    dimensions: tuple[int, ...] = ()
    periods: tuple[bool, ...] = ()
    remote: tuple[int, ...] = ()
    type_name = "communicator"

    @property
    def size(self) -> int | None:
        """The number of members."""
        return None if self.members is None else len(self.members)

    @property
    def peers(self) -> tuple[int, ...] | None:
        """The ranks of the world to which messages go, by their number."""
        return self.remote or self.members

    @property
    def participants(self) -> tuple[int, ...] | None:
        """The ranks of the world that take part in collectives, in an order that is equal on all of them."""
        return tuple(sorted(self.remote + (self.members or ()))) if self.remote else self.members

    @property
    def is_null(self) -> bool:
        """Whether it is COMM_NULL."""
        return self.members is not None and self.number is None

    def same(self, other: Value) -> bool:
        """``==``: the same communicator."""
        return isinstance(other, Communicator) and other.identity == self.identity

    def truth(self, rank: Rank) -> bool:
        """False for COMM_NULL."""
        return not self.is_null

    def freeze(self, _depth: int) -> object:
        """The identity, without the rank in it."""
        return "communicator", self.identity

    def coordinates(self, number: int) -> list[int]:
        """The place of a member in the grid of the communicator."""
        places = itertools.product(*(range(length) for length in self.dimensions))
        return list(next(itertools.islice(places, number, None)))

    def attribute(self, rank: Rank, name: str) -> Value:
        """Rank, size, the grid, or a method."""
        if name in _OF_GRID and self.dimensions and self.number is not None:
            return _OF_GRID[name](self)
        if name in ("rank", "size"):
            if self.is_null:
                error = fail("mpi4py.MPI.Exception")
                error.value.fields["*null"] = True
                raise error
            value = self.number if name == "rank" else self.size
            if value is None:
                return rank.symbol("communicator", self.identity, name, kind="int")
            if name == "size":
                rank.world.reads_size = True
            return RankNumber(value) if name == "rank" else RankCount(value)
        if name == "group":
            return Group(self.members or ())
        if name == "remote_size":
            return len(self.remote)
        if name == "remote_group":
            return Group(self.remote)
        if name in ("is_inter", "is_intra"):
            return bool(self.remote) is (name == "is_inter")
        if name in ("name", "topology", "info", "attrs"):
            return rank.symbol("communicator", self.identity, name)
        return Method(self, name)


_OF_GRID: dict[str, Callable[[Communicator], Value]] = {
    "coords": lambda grid: grid.coordinates(grid.number or 0),
    "dims": lambda grid: list(grid.dimensions),
    "periods": lambda grid: list(grid.periods),
    "ndim": lambda grid: len(grid.dimensions),
    "dim": lambda grid: len(grid.dimensions),
    "topo": lambda grid: (list(grid.dimensions), list(grid.periods), grid.coordinates(grid.number or 0)),
}
"""Attributes of communicators with a grid."""


@dataclass(slots=True, eq=False)
class Group(Modelled):
    """A group of ranks of the world."""

    members: tuple[int, ...]
    type_name = "group"

    def freeze(self, _depth: int) -> object:
        """The members."""
        return "group", self.members

    def attribute(self, rank: Rank, name: str) -> Value:
        """Rank, size, or a method."""
        if name == "size":
            return len(self.members)
        if name == "rank":
            return self.members.index(rank.number) if rank.number in self.members else -32766
        return Method(self, name)


PROC_NULL = -2
"""The number that `MPI.PROC_NULL` has here."""

MAX_TAG = (1 << 31) - 1
UNKNOWN_TAG = MAX_TAG + 1
"""Tags from this number on stand for values that are not known."""


@dataclass(slots=True, eq=False)
class Status(Modelled):
    """`MPI.Status`: what it was filled with last; ``count`` is in elements of ``dtype``."""

    source: int = -1
    tag: int = -1
    count: int | None = None
    dtype: str | None = None
    is_cancelled: bool = False
    unknown: Value = None
    type_name = "status"

    def freeze(self, _depth: int) -> object:
        """Source and tag."""
        return "status", self.source, self.tag

    def attribute(self, rank: Rank, name: str) -> Value:
        """Source, tag, or a method."""
        if name == "tag" and self.tag >= UNKNOWN_TAG:
            raise Cut("an unknown tag")
        fields = {"source": self.source, "tag": self.tag, "error": 0, "cancelled": self.is_cancelled}
        return fields[name] if name in fields else Method(self, name)


@dataclass(slots=True, eq=False)
class Request(Modelled):
    """A pending operation; ``event`` is what it stands for, ``value`` what it received.

    ``is_done`` if the operation is over, ``is_waited`` if the program knows it. ``buffers`` are the arrays that the
    operation uses, with true for those that it writes. A persistent request is active between `Start` and completion.
    ``holders`` are the names that had its array at its first start.
    """

    event: Any
    is_done: bool = False
    is_waited: bool = False
    value: Value = None
    is_persistent: bool = False
    is_active: bool = True
    buffers: list[Any] = field(default_factory=list)
    uses: list[Any] = field(default_factory=list)
    starts: int = 0
    waited_at: Any = None
    is_cancelled: bool = False
    holders: Any = None
    type_name = "request"

    @property
    def is_null(self) -> bool:
        """Whether it is REQUEST_NULL, as it is after its completion."""
        return self.is_waited and not self.is_persistent

    @property
    def is_pending(self) -> bool:
        """Whether a wait for it can wait."""
        return self.is_active and not self.is_null

    def freeze(self, _depth: int) -> object:
        """The place of the operation."""
        return "request", getattr(self.event, "label", "null")

    def same(self, other: Value) -> bool:
        """``==``: the same request, or both are null."""
        return other is self or (isinstance(other, Request) and self.is_null and other.is_null)

    def truth(self, rank: Rank) -> bool:
        """False for REQUEST_NULL."""
        return not self.is_null
