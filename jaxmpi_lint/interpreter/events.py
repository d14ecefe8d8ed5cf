"""What a rank asks of the others: the events that an interpreted program yields to the scheduler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from jaxmpi_lint.analysis import ir


class CommunicatorView(Protocol):
    """What events and their matching use of a communicator (see `communicators.Communicator`)."""

    @property
    def identity(self) -> int:
        """A number that is equal on all members."""

    @property
    def label(self) -> str:
        """The name in messages."""

    @property
    def members(self) -> tuple[int, ...] | None:
        """The ranks of the world, in the order of the communicator; None if they are not known."""

    @property
    def peers(self) -> tuple[int, ...] | None:
        """The ranks of the world to which messages go."""

    @property
    def participants(self) -> tuple[int, ...] | None:
        """The ranks of the world that take part in collectives."""

    @property
    def remote(self) -> tuple[int, ...]:
        """The ranks of the other group, if there are two."""

    @property
    def number(self) -> int | None:
        """The rank in it; None for a rank that is not a member."""

    @property
    def size(self) -> int | None:
        """The number of members."""

    @property
    def is_freed(self) -> bool:
        """Whether this rank has freed it."""

    @property
    def is_null(self) -> bool:
        """Whether it is COMM_NULL."""


@dataclass(frozen=True, slots=True)
class Place:
    """A call in a file; ``calls`` are the calls that led to it, the outermost first (None: an import).

    ``paths`` identify the frames, one more than there are calls.
    """

    module: ir.Module
    span: ir.Span
    calls: tuple[tuple[ir.Module, ir.Span] | None, ...] = ()
    paths: tuple[int, ...] = ()

    @property
    def row(self) -> int:
        """The row, from 1."""
        return self.module.position(self.span[0])[0]


@dataclass(slots=True, eq=False)
class Event:
    """Base of the events; ``label`` is the name of the operation as messages show it."""

    place: Place
    label: str


@dataclass(slots=True, eq=False)
class Collective(Event):
    """A collective operation; unset arguments are None.

    ``payload`` is what this rank contributes. ``count`` and ``dtype`` are known only for arrays of known shape.
    ``program`` identifies a launch, ``name`` the text that must be equal on all processes.
    """

    communicator: CommunicatorView
    kind: str
    payload: Any = None
    root: Any = None
    operator: Any = None
    count: int | None = None
    dtype: str | None = None
    name: Any = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Send(Event):
    """A message; ``blocks`` if a send may wait for its receiver (``Send`` and ``send``, unlike ``Isend``).

    ``used`` are the elements of a buffer that the message carries, as for a receive.
    """

    communicator: CommunicatorView
    dest: int
    tag: int
    payload: Any = None
    used: Any = None
    count: int | None = None
    dtype: str | None = None
    is_object: bool = True
    blocks: bool = True
    is_synchronous: bool = False
    request: Any = None


@dataclass(slots=True, eq=False)
class Receive(Event):
    """A receive; ``source`` and ``tag`` are -1 for any.

    ``used`` are the elements of the buffer that a message may fill.
    ``may_be_raw`` if `irecv` was handed an array: ``Wait`` and ``Test`` leave there what arrives, without unpickling.
    """

    communicator: CommunicatorView
    source: int
    tag: int
    buffer: Any = None
    used: Any = None
    count: int | None = None
    dtype: str | None = None
    is_object: bool = True
    may_be_raw: bool = False
    request: Any = None
    status: Any = None


@dataclass(slots=True, eq=False)
class Probe(Receive):
    """A wait for a message that stays where it is, or is taken to be received later."""

    takes: bool = False


@dataclass(slots=True, eq=False)
class Poll(Event):
    """A test of something that has not happened yet: the other ranks continue first.

    ``is_ready`` states whether it has happened.
    """

    is_ready: Callable[[], bool]


@dataclass(slots=True, eq=False)
class Access(Event):
    """A use of memory by the program."""


@dataclass(slots=True, eq=False)
class Wait(Event):
    """Completion of requests: all of them, or any one."""

    requests: list[Any]
    needs_all: bool = True


@dataclass(slots=True, eq=False)
class Opaque(Event):
    """A call that may communicate on communicators in a way that is not known."""

    communicators: tuple[CommunicatorView, ...] = ()


@dataclass(slots=True, eq=False)
class Abort(Event):
    """The end of all ranks."""
