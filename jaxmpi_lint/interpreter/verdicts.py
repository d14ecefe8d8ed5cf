"""What a world shows: a fault with the ranks that it is about, or that nothing is wrong, or why it was cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Event, Place
from jaxmpi_lint.library.python.process_values import Variation

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.turns import Turn


class Kind(StrEnum):
    """The events that a fault is about; `checks.worlds` maps them, with the cause, to codes."""

    PARTED = "parted"
    MISMATCH = "mismatch"
    ROOT = "root"
    GROUP_ROOT = "roots of two groups"
    ROOT_RANGE = "root out of range"
    ROOT_VALUE = "root without the value"
    UNSET_ROOT = "root with new memory"
    OPERATOR = "operator"
    COUNT = "count"
    OWN_COUNT = "count that each rank decides"
    COUNT_OF_SOME = "count for some numbers"
    UNEXCHANGED = "counts that are not exchanged"
    DTYPE = "dtype"
    LIST_LENGTH = "list length"
    NEIGHBOURS = "neighbours"
    NAME = "name"
    VALUE = "value"
    REPLICA = "replica"
    FETCH = "fetch of an array of all processes"
    ARRAY_OPERAND = "array as operand of a comparison"
    OPERAND = "operand without the operator"
    UNPICKLABLE = "object that cannot be pickled"
    NO_BUFFER = "object without a buffer"
    NOT_WHOLE = "number that is not whole"
    STRIDED_BUFFER = "buffer that is not contiguous"
    RECEIVED_COPY = "receive into a copy"
    MEMORY_ORDER = "order of memory"
    BLOCK_ORDER = "order of blocks"
    OWN_PARAMETERS = "parameters of each rank"
    OWN_SHARE = "share of an order of each rank"
    OWN_STEP = "step of each rank"
    SAME_DRAWS = "draws that are the same"
    SOURCES = "sources of a broadcast"
    CALLBACK = "callback without elements"
    LOCAL_AVERAGE = "sum divided by the own number of devices"
    CROSSED = "crossed communicators"
    NULL = "null communicator"
    COLOURS = "colours of a split"
    FREED = "freed communicator"
    DEADLOCK = "deadlock"
    BUFFERING = "reliance on buffering"
    SELF = "self"
    UNMATCHED_RECEIVE = "unmatched receive"
    UNMATCHED_SEND = "unmatched send"
    TAG = "tag"
    PEER = "peer"
    INVALID_TAG = "invalid tag"
    TRUNCATION = "truncation"
    MESSAGE_TYPE = "message type"
    SWAPPED = "swapped messages"
    OTHER_SENDER = "message of another sender"
    ECHO = "part that is sent back"
    ITEM_ORDER = "calls in an order of items"
    REQUEST = "request"
    REQUEST_BUFFER = "request buffer"
    ANSWER = "answer of a test as a condition"
    REQUEST_STATE = "request state"
    BOUND_BUFFER = "buffer of a persistent request"
    REPEATED_SUM = "repeated sum"
    JOINED = "lists joined by a sum"
    UNIT = "unit of displacements"
    EPOCH = "epoch"
    LOST_UPDATE = "lost update"
    EXPOSED = "memory that others change"
    INITIALIZE = "initialize"
    NUMBER_ON_NODE = "number of the process on its node"
    LAUNCH = "launch"
    LONE_VALUE = "value of some ranks"
    STALE = "stale value"
    STALE_PERHAPS = "value that may be stale"
    FILE_CHANGED = "file changed"
    FILE_ORDER = "file order"
    FILE_PARTS = "parts of a file"
    OWN_PATH = "path of one rank"
    SOUGHT_PATH = "path that one rank looks for"


POINT_TO_POINT = frozenset(
    {
        Kind.DEADLOCK, Kind.BUFFERING, Kind.SELF, Kind.UNMATCHED_RECEIVE, Kind.UNMATCHED_SEND, Kind.TAG, Kind.PEER,
        Kind.TRUNCATION, Kind.MESSAGE_TYPE, Kind.NEIGHBOURS,
    }
)  # fmt: skip
"""Kinds that count only for numbers of ranks which the program is made for."""

MEETINGS = POINT_TO_POINT | {Kind.PARTED, Kind.MISMATCH}
"""Kinds of ranks that do not meet, because they have come different ways."""

ARGUMENTS = frozenset(
    {
        Kind.ROOT, Kind.GROUP_ROOT, Kind.ROOT_RANGE, Kind.OPERATOR, Kind.COUNT, Kind.OWN_COUNT, Kind.COUNT_OF_SOME,
        Kind.DTYPE, Kind.UNEXCHANGED, Kind.LIST_LENGTH, Kind.NEIGHBOURS, Kind.ARRAY_OPERAND, Kind.OPERAND,
    }
)  # fmt: skip
"""Kinds of arguments that do not fit in one collective, which all ranks have reached."""

MEMORY = frozenset({Kind.REQUEST_BUFFER, Kind.EPOCH})
"""Kinds of uses of memory that a pending operation uses too, and of operations outside of an epoch."""

STALE = frozenset({Kind.STALE, Kind.STALE_PERHAPS})
"""Kinds of values that some ranks keep where others replace them."""

FILES = frozenset({Kind.FILE_CHANGED, Kind.FILE_ORDER, Kind.FILE_PARTS, Kind.OWN_PATH, Kind.SOUGHT_PATH})
"""Kinds of accesses to files."""


@dataclass(slots=True, eq=False)
class Fault:
    """One defect as a world shows it.

    ``event`` is where ``rank`` waits or what it does, ``other`` what ``other_rank`` does instead (None: it has ended).
    ``detail`` has what differs, in the words of the message. ``constant`` is a rank out of range that is not computed
    from the rank or the size, or the number of ranks for which a buffer is large enough: if it is the same for every
    number of ranks, the program may be made for another one. ``cause`` is the branch that parts the ranks, ``earlier``
    one before it that parted them by values of one process, if the test of ``cause`` has known values. ``origins`` are
    the places where values are made that decide, with what happens there. ``variation`` is how often values of two
    ranks differ.
    """

    kind: Kind
    event: Event
    rank: int
    other_rank: int | None = None
    other: Event | None = None
    detail: str = ""
    cause: Turn | None = None
    other_cause: Turn | None = None
    earlier: Turn | None = None
    other_earlier: Turn | None = None
    waits: tuple[tuple[int, Event], ...] = field(default=())
    constant: int | None = None
    origins: tuple[tuple[ir.Module, ir.Span, str], ...] = ()
    variation: Variation | None = None

    @property
    def place(self) -> Place:
        """The place of the event."""
        return self.event.place

    @property
    def decision(self) -> Turn | None:
        """The branch whose test has the values that differ between the ranks."""
        return self.earlier or self.cause


@dataclass(slots=True, eq=False)
class Verdict:
    """The result of one world; ``cut`` is the reason why it was not followed to its end, empty if it was.

    ``is_not_meant`` if an assertion of the program does not hold in it: it is clean, but was not followed to its end.
    """

    world: Any
    fault: Fault | None
    cut: str = ""
    place: Place | None = None
    is_not_meant: bool = False
