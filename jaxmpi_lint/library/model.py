"""The columns of the library tables: semantics of one library call, independent of its position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The effect of a call on the processes of its group."""

    COLLECTIVE = "collective"  # every member of the communicator participates
    CONSTRUCTOR = "constructor"  # collective over the parent, result is a communicator
    GROUP_CONSTRUCTOR = "group-constructor"  # collective over the members of a group argument only
    AXIS_COLLECTIVE = "axis-collective"  # over a named axis, inside traced code (jax.lax.psum)
    SEND = "send"
    RECEIVE = "receive"
    SENDRECV = "sendrecv"
    PROBE = "probe"
    COMPLETION = "completion"  # wait and test on requests
    START = "start"  # start of a persistent request
    ONE_SIDED = "one-sided"  # access to the memory of a window: Put, Get, Accumulate
    EPOCH = "epoch"  # opens, closes or flushes an access or exposure epoch of a window, not collective
    FREE = "free"  # releases a handle
    QUERY = "query"  # returns a local property: rank, size, name
    ABORT = "abort"  # ends every process
    INITIALIZE = "initialize"  # initializes the runtime
    FINALIZE = "finalize"
    BACKEND = "backend"  # local, but starts the JAX backend (jax.devices, jnp.array)
    BARRIER_EFFECTS = "effects-barrier"  # waits for local asynchronous work (jax.effects_barrier)
    LOCAL = "local"  # does not communicate


class Result(StrEnum):
    """The returned value, compared across the group."""

    NONE = "none"
    SAME = "same"  # equal on every member (allreduce, bcast, allgather)
    ROOT = "root"  # the value at the root, None elsewhere (gather, reduce)
    ROOT_ELSE_INPUT = "root-else-input"  # the value at the root, the argument elsewhere (mpi4jax.gather)
    OWN = "own"  # differs by process (scatter, recv, scan, alltoall, own shard)
    PART = "part"  # the part of a sum that the process has computed (the integral over its cells)
    ARGUMENTS = "arguments"  # as uniform as the arguments of the call (Get_coords)
    REQUEST = "request"
    COMMUNICATOR = "communicator"
    RANK = "rank"
    SIZE = "size"
    WINDOW = "window"
    FILE = "file"
    GLOBAL_ARRAY = "global-array"  # a JAX array with shards on several processes
    MODULE = "module"
    UNKNOWN = "unknown"


class Relation(StrEnum):
    """The group of a resulting communicator, compared with the group of its parent."""

    ALIAS = "alias"  # the same communicator, a different object
    SAME = "same"  # same processes, a different context (Dup)
    PART = "part"  # some of the processes; COMM_NULL on excluded ones (Split)
    LARGER = "larger"  # local and remote processes (Merge)
    OTHER = "other"  # an intercommunicator, or processes unrelated to the receiver


ONE_PROCESS_TOO = frozenset({"dolfinx", "neuron", "petsc4py"})
"""Libraries whose calls take a communicator even in programs that only ever run as one process."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The releases of ``package`` for which an entry is valid: ``since`` included, ``before`` excluded."""

    package: str
    since: tuple[int, ...] | None = None
    before: tuple[int, ...] | None = None

    def admit(self, version: tuple[int, ...] | None) -> bool:
        """Whether ``version`` lies in the range; an unknown version (None) always does."""
        if version is None:
            return True
        return (self.since is None or version >= self.since) and (self.before is None or version < self.before)


@dataclass(frozen=True, slots=True)
class Operation:
    """One callable of a library.

    ``name`` is its canonical dotted name: ``mpi4py.MPI.Comm.bcast`` for a method, ``mpi4jax.allreduce`` for a function.
    ``parameters`` are the names in positional order without ``self``; names after ``"*"`` are keyword-only.
    ``defaults`` gives the source text of defaults that matter (``("root", "0")``). ``communicator`` is ``"self"`` for a
    method of a communicator, ``"handle"`` for the group of the window, file or message it is called on, a parameter's
    name, ``"world"``, ``"processes"`` for all JAX processes, or None. ``communicator_default`` is the meaning of an
    absent one (``"world-clone"`` for mpi4jax). ``given`` is the condition under which the call is this operation: a
    parameter that is passed (``"comm"`` of `h5py.File`), ``"handle"``: the object is known to have been created on a
    communicator, or ``"object"``: the argument that gives the communicator is such an object. ``makes`` is the class of
    the returned object, if it is not the callable itself.
    ``sends`` and ``receives`` name buffer parameters; ``template`` one that only gives shape and dtype; ``received`` is
    the content of the receive buffers once the call is complete. ``buffer`` is True for calls that take buffers in
    place (mpi4py's upper-case methods), False for pickled ones. ``relation`` belongs to a resulting communicator.
    ``attribute`` is True for a property: it is read, not called.
    """

    name: str
    kind: Kind
    parameters: tuple[str, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    communicator: str | None = None
    communicator_default: str | None = None
    given: str | None = None
    root: str | None = None
    reduction: str | None = None
    sends: tuple[str, ...] = ()
    receives: tuple[str, ...] = ()
    template: str | None = None
    destination: str | None = None
    source: str | None = None
    tag: str | None = None
    axis: str | None = None
    blocking: bool = True
    buffer: bool = False
    token: bool = False  # returns (result, token) or a token, and takes token= (mpi4jax before 0.8)
    result: Result = Result.NONE
    makes: str | None = None
    received: Result = Result.NONE
    relation: Relation | None = None
    attribute: bool = False
    versions: Versions | None = None

    @property
    def library(self) -> str:
        """The top-level package."""
        return self.name.partition(".")[0]

    @property
    def method(self) -> str:
        """The last part of the name, as written in a call."""
        return self.name.rpartition(".")[2]

    @property
    def event(self) -> str:
        """The name under which calls match: ``Bcast`` and ``Bcast_init`` are distinct, facades map to a target."""
        return self.method

    @property
    def communicates(self) -> bool:
        """Whether processes must agree on the call."""
        return self.kind in COMMUNICATING

    @property
    def shows_several_processes(self) -> bool:
        """Whether its use shows that a program is written for more than one process."""
        return self.library not in ONE_PROCESS_TOO

    @property
    def releases(self) -> bool:
        """Whether the handle it is called on is invalid afterwards."""
        return self.kind is Kind.FREE or self.method in ("Free", "Close", "free")

    def default(self, parameter: str) -> str | None:
        """The source text of a parameter's default, or None if it has none."""
        return dict(self.defaults).get(parameter)

    def position(self, parameter: str) -> int | None:
        """The index of a parameter among the positional ones, or None if it is keyword-only or absent."""
        positional = self.parameters[: self.parameters.index("*")] if "*" in self.parameters else self.parameters
        return positional.index(parameter) if parameter in positional else None


COLLECTIVE_KINDS = frozenset({Kind.COLLECTIVE, Kind.CONSTRUCTOR, Kind.GROUP_CONSTRUCTOR})
POINT_TO_POINT_KINDS = frozenset({Kind.SEND, Kind.RECEIVE, Kind.SENDRECV, Kind.PROBE})
COMMUNICATING = COLLECTIVE_KINDS | POINT_TO_POINT_KINDS


class Tracing(StrEnum):
    """How a transform runs the function passed to it."""

    STAGE = "stage"  # traced, then compiled: jit, pjit, pmap, shard_map
    TRANSFORM = "transform"  # traced inline: vmap, grad, checkpoint, custom_vjp
    LOOP = "loop"  # body of lax.scan, while_loop, fori_loop, map
    BRANCH = "branch"  # branches of lax.cond, switch
    ESCAPE = "escape"  # leaves the trace: pure_callback, io_callback, debug.callback


@dataclass(frozen=True, slots=True)
class Transform:
    """A function that runs functions passed to it.

    ``functions`` are the parameters that take a function (or a list of them), as (name, position); the position of a
    keyword-only one is -1, the name ``*`` stands for all positional arguments. ``static`` names the parameters that
    list static arguments. ``axes`` the parameters that bind axis names. ``decorator``: ``@name`` and
    ``functools.partial(name, ...)`` are usual.
    """

    name: str
    tracing: Tracing
    functions: tuple[tuple[str, int], ...]
    static: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    decorator: bool = True
    versions: Versions | None = None
