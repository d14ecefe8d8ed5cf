"""The contents of the ledger at one moment, as plain data.

The native reader (`_native.Ledger`) returns dictionaries that have exactly these fields; all analyses and reports use
these classes, so that they can be tested without a running job. Ranks are world ranks unless a name states otherwise;
times are seconds on the monotonic clock of the host. The words of `kind`, `activity`, `state` and `difference` are
those of `native/enumerations.table`, the words of `flow` those of `native/functions.table`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """A line of the program with the lines from which it was reached at the call.

    For a line of a library `caller` is the frame that called it, outward up to the first line of the program; `callers`
    are the lines of the program around that one, the innermost first.
    """

    file: str
    line: int
    function: str
    caller: Site | None = None
    operand: str = ""  # of an operation of mpi4jax: "float32[4,8]"
    callers: tuple[Site, ...] = ()
    handled: Handled | None = None  # at the call

    @property
    def spot(self) -> tuple[str, int, str]:
        """What tells its line from others; of compiled code without debug information, the instruction."""
        return self.file, self.line, "" if self.line else self.function


@dataclass(frozen=True, slots=True)
class Handled:
    """An exception that a rank is handling, and the innermost line of the program that it has passed."""

    exception: str  # its class
    site: Site


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of a collective on one rank; see `Signature` in ledger.hpp."""

    function: str  # "MPI_Allreduce", the blocking form
    in_place: bool
    non_blocking: bool
    persistent: bool
    pickled: bool
    count_known: bool
    # "nothing", "byte", "packed", "signed", "unsigned", "float", "complex", "logical", "character", "pair", "mixed"
    base: str
    width: int  # bytes of one element
    elements: int
    bytes: int
    type_hash: int
    root: int | None  # in the communicator
    reduction: str | None  # "MPI_SUM", ..., "user"
    reduction_site: int
    note: int


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that a blocked call waits for."""

    kind: str
    certain: bool
    flow: str
    peer: int | None  # world rank; None: any source, or no root
    any_source: bool
    tag: int | None  # None: any
    communicator: int  # index
    ordinal: int


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread of a rank that has called MPI."""

    slot: int
    kernel_id: int
    activity: str
    function: str  # "MPI_Recv"; "" before the first call
    label: str  # "Intracomm.allreduce": the method that the user called; "": none
    site: Site | None
    communicator: int | None
    ordinal: int
    entered: float
    calls: int
    sequence: int
    any_of: bool
    waits_overflow: bool
    waits: tuple[Wait, ...]
    signature: Signature | None  # if it is inside a collective
    cpu_seconds: float  # used by the thread since it began, from the kernel
    sleeping: bool  # asleep in the kernel (not: ready to run, stopped)
    stopped: bool  # SIGSTOP or a debugger


@dataclass(frozen=True, slots=True)
class Rank:
    """One process of the job on this host."""

    rank: int  # world
    local: int  # index on this host
    process: int
    state: str
    alive: bool  # its lock is held
    exit_status: int | None  # negative: the signal that killed it
    raised: bool
    farewell: str  # traceback, or why it ended
    python: bool
    python_threads: int  # when last counted
    uncertain: bool
    threads: tuple[Thread, ...]
    calls: int = 0  # of MPI, as far as they are recorded
    host: str = ""  # its name, where the snapshot spans hosts
    freed: int = 0  # sum over the communicators that it has freed, which cancels out over all ranks


@dataclass(frozen=True, slots=True)
class Lane:
    """One rank's part of a communicator's entry."""

    rank: int  # world
    rank_in: int  # in the communicator
    count: int  # collectives entered
    rolling: int  # hash of them, equal where nothing differs that must agree
    fine: int  # hash of all their arguments
    state: str
    wildcard_receives: int
    site: Site | None
    checkpoints: tuple[tuple[int, int], ...] = ()  # earlier counts, each with `rolling` at it; the earliest first
    sizes: int = 0  # sums over the parts exchanged with other hosts, in which the two sides of a part cancel out:
    kinds: int = 0  # of what must be equal, and of the types also


@dataclass(frozen=True, slots=True)
class Communicator:
    """A communicator, a window or a file, as far as ranks of this host belong to it."""

    index: int  # never reused
    id: int
    parent: int
    number: int
    size: int
    kind: str
    private: bool
    unchecked: bool
    name: str
    lanes: tuple[Lane, ...]  # members on this host
    remote: tuple[int, ...]  # world ranks of the second group of an intercommunicator
    failed: int | None = None  # the first collective for which MPI returned an error that is not of its arguments
    # With `strict`, on several hosts: so many collectives have been entered by all members of a host, whose ranks wait,
    # or will wait, until the monitors have compared them; 0: none, or they have been compared.
    awaited: int = 0


@dataclass(frozen=True, slots=True)
class Channel:
    """Messages of one (communicator, source, destination, tag)."""

    communicator: int
    source: int | None  # None: the destination's receives from any source
    destination: int
    tag: int | None
    sent: int
    received: int
    posted: int
    completed: int
    site: Site | None = None  # where the source sent last, if messages lie there
    identity: int = 0  # of the communicator: equal on all hosts


@dataclass(frozen=True, slots=True)
class Record:
    """One call of a rank's history."""

    serial: int
    rank: int
    thread: int
    function: str
    label: str
    communicator: int | None
    ordinal: int
    peer: int | None
    tag: int | None
    request: int
    site: Site | None
    entered: float
    left: float | None  # None: still inside; rounded down to the monitor's last snapshot, at least `entered`
    result: int
    signature: Signature


@dataclass(frozen=True, slots=True)
class DistantPart:
    """One side of a part of a collective with counts, exchanged with a rank on a different host."""

    rank: int
    communicator: int
    ordinal: int
    peer: int  # world rank
    sending: bool  # to the peer
    bytes: int
    type: int  # of its elements; 0: not to be compared
    base: str
    width: int


@dataclass(frozen=True, slots=True)
class RawFinding:
    """A difference that one rank detected."""

    kind: str
    difference: str
    communicator: int | None
    ordinal: int
    rank: int
    other: int | None
    site: Site | None
    other_site: Site | None
    when: float
    mine: Signature | None
    theirs: Signature | None
    mine_bytes: int
    theirs_bytes: int
    text: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole ledger, read at one moment."""

    taken: float
    consistent: bool  # two successive reads are equal
    world_size: int
    job: str
    host: str
    library: str
    ranks: tuple[Rank, ...]
    communicators: tuple[Communicator, ...]
    channels: tuple[Channel, ...]
    channels_overflow: bool
    communicators_overflow: bool
    findings: tuple[RawFinding, ...]

    @property
    def spans_hosts(self) -> bool:
        """Whether it has ranks of more than one host."""
        return len({rank.host for rank in self.ranks}) > 1

    @property
    def alone(self) -> bool:
        """Whether the job is one process without a launcher, perhaps a worker of a pool."""
        return self.job.startswith("alone:")
