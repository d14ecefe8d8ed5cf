"""Abstract values: their identity, and whether they are equal on all processes.

The uniformity lattice follows the uniformity analysis of compilers for SIMT machines, with the processes of a
communicator in place of threads: a value is uniform, diverges for a known reason, or is unknown. Unknown values are
never reported.

All objects here are immutable by convention. Classes with hundreds of thousands of instances are not frozen: frozen
instances take four times as long to create.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.library.levels import Level, Source

_STRENGTH = {
    level: strength
    for strength, level in enumerate((Level.UNIFORM, Level.UNKNOWN, Level.LOCAL, Level.ORDER, Level.RANK))
}


@dataclass(slots=True, unsafe_hash=True)
class Reason:
    """One link of the chain that explains a level, from the use back to the source."""

    module: ir.Module
    span: ir.Span
    message: str
    cause: Reason | None = None
    source: Source | None = None

    def chain(self) -> list[Reason]:
        """The chain from the source to the use."""
        links: list[Reason] = []
        link: Reason | None = self
        while link is not None and len(links) < 12:
            links.append(link)
            link = link.cause
        return links[::-1]


@dataclass(slots=True, unsafe_hash=True)
class Uniformity:
    """A level, the groups of processes that it divides, and the reason.

    Ranks, and the data that a collective returned to each process, belong to groups; other local data divides all
    processes. ``overruled``: a different operand may make all processes agree after all (``parallel or rank == 0``).
    """

    level: Level = Level.UNKNOWN
    groups: frozenset[str] = frozenset()
    reason: Reason | None = field(default=None, compare=False)
    overruled: bool = field(default=False, compare=False)

    def join(self, other: Uniformity) -> Uniformity:
        """The join: the stronger of two levels; groups of equal levels are united."""
        if self.level is other.level:
            if other.groups <= self.groups:
                return self
            overruled = self.overruled or other.overruled
            return Uniformity(self.level, self.groups | other.groups, self.reason or other.reason, overruled)
        return self if _STRENGTH[self.level] > _STRENGTH[other.level] else other

    @property
    def source(self) -> Source | None:
        """The origin of the difference, if it is one of the known sources."""
        return self.reason.source if self.reason is not None else None

    def tells(self, message: str) -> bool:
        """Whether a link of the chain has this message."""
        return self.reason is not None and any(link.message == message for link in self.reason.chain())

    def because(self, module: ir.Module, span: ir.Span, message: str, source: Source | None = None) -> Uniformity:
        """The same level with one more link in the chain."""
        reason = Reason(module, span, message, self.reason, source or self.source)
        return Uniformity(self.level, self.groups, reason, self.overruled)


UNIFORM = Uniformity(Level.UNIFORM)
UNKNOWN = Uniformity(Level.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Communicator:
    """A communicator as far as it is known.

    ``context`` identifies the communication context (messages match within one); ``groups`` holds the name of its group
    of processes (nothing for COMM_SELF), ``ancestors`` the groups it was derived from. A communicator that may be one
    of several has a separate group, ``a | b``, equal only to that of an equal choice.
    """

    context: str
    groups: frozenset[str]
    ancestors: frozenset[str] = frozenset()
    label: str = field(default="communicator", compare=False)
    origin: ir.Span | None = field(default=None, compare=False)

    @property
    def is_self(self) -> bool:
        """Whether it provably has one process only."""
        return not self.groups

    @property
    def is_one_of_several(self) -> bool:
        """Whether it may be one of several communicators."""
        return EITHER in self.context

    @property
    def alternatives(self) -> frozenset[str]:
        """The names of the groups that its group may be."""
        return frozenset(name for group in self.groups for name in group.split(EITHER))

    @property
    def home(self) -> str:
        """The file whose code created it; a text that names no file for others."""
        return self.context.partition("#")[0].rpartition("@")[0]

    def rank_groups(self) -> frozenset[str]:
        """The groups that this communicator's rank divides."""
        return self.groups | self.ancestors


EITHER = " | "  # between the names of communicators or groups of which it may be any
WORLD = "mpi4py.MPI.COMM_WORLD"
ANY_GROUP = "*"  # of a rank configured by name, without a communicator
PROCESSES = "jax processes"


@dataclass(slots=True, unsafe_hash=True)
class Named:
    """A library symbol, module or builtin by its canonical dotted name."""

    dotted: str


@dataclass(slots=True, unsafe_hash=True)
class FunctionReference:
    """A function, class body or lambda of the project.

    ``bound``: a first argument is bound; ``bare``: without its decorators; ``ahead`` has the arguments bound before the
    call, by position (after the bound one) or by name. ``owner`` is the object of a bound method that is not called at
    once.
    """

    path: str
    qualname: str
    bound: bool = False
    bare: bool = False
    ahead: tuple[tuple[str | int, Value], ...] = ()
    owner: Instance | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The file and the name in it."""
        return self.path, self.qualname


@dataclass(frozen=True, slots=True)
class ClassReference:
    """A class of the project."""

    path: str
    qualname: str


@dataclass(frozen=True, slots=True)
class ModuleReference:
    """A module of the project."""

    path: str


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a project class; ``key`` distinguishes objects of one function (``self`` or a call's offset)."""

    path: str
    qualname: str
    key: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """The result of a tracing transform applied to a function of the project."""

    transform: str
    function: FunctionReference


@dataclass(frozen=True, slots=True)
class RankOf:
    """The rank of the calling process in a communicator."""

    communicator: Communicator


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The number of processes of a communicator."""

    communicator: Communicator


@dataclass(slots=True, unsafe_hash=True)
class Literal:
    """A constant; the type takes part in comparison so that ``1`` and ``True`` differ."""

    value: object
    kind: str

    @staticmethod
    def of(value: object) -> Literal:
        """The entity of a Python constant."""
        return Literal(value, type(value).__name__)


@dataclass(slots=True, unsafe_hash=True)
class ResultOf:
    """The result of a library call; ``operation`` is its canonical name, ``span`` the call.

    ``communicator`` is that of a file, a window or a different object whose methods are collective.
    """

    operation: str
    path: str
    span: ir.Span
    communicator: Communicator | None = None


@dataclass(frozen=True, slots=True)
class Unordered:
    """A set: possibly equal on all processes, but with an iteration order that depends on the hashes of strings.

    ``stable``: it holds small integers only, whose order does not depend on the hash seed; ``text``: it provably holds
    strings only, whose order does.
    """

    stable: bool = False
    text: bool = False


@dataclass(frozen=True, slots=True)
class Container:
    """A list, a dict, an array of numpy: its methods are known, and do not communicate."""

    kind: str


@dataclass(frozen=True, slots=True)
class Record:
    """A dict with constant keys; the elements of the value are those of the keys."""

    keys: tuple[object, ...]


Entity = (
    Communicator
    | Unordered
    | Container
    | Record
    | Named
    | FunctionReference
    | ClassReference
    | ModuleReference
    | Instance
    | Compiled
    | RankOf
    | SizeOf
    | Literal
    | ResultOf
)


@dataclass(slots=True, unsafe_hash=True)
class Value:
    """An abstract value; the three facets are evaluated separately.

    ``content`` is the value itself, ``structure`` its length, shape, dtype and keys, ``noneness`` whether it is None.
    ``elements`` are the values of a tuple's or list's elements where they are known individually.
    """

    entity: Entity | None = None
    content: Uniformity = UNKNOWN
    structure: Uniformity = UNKNOWN
    noneness: Uniformity = UNKNOWN
    elements: tuple[Value, ...] | None = None

    def join(self, other: Value) -> Value:
        """The join of two values."""
        if self is other or self == other:
            return self
        elements, entity = None, _join_entities(self.entity, other.entity)
        if self.elements is not None and other.elements is not None and len(self.elements) == len(other.elements):
            record = isinstance(self.entity, Record) or isinstance(other.entity, Record)
            if not record or isinstance(entity, Record):
                elements = tuple(a.join(b) for a, b in zip(self.elements, other.elements, strict=True))
        return Value(
            entity,
            self.content.join(other.content),
            self.structure.join(other.structure),
            self.noneness.join(other.noneness),
            elements,
        )

    @property
    def kind(self) -> Uniformity:
        """The uniformity of an array's dtype and number of axes, without its length: parts of one array share them."""
        return UNKNOWN if self.structure.level.diverges else self.structure

    @staticmethod
    def uniform(entity: Entity | None = None, elements: tuple[Value, ...] | None = None) -> Value:
        """A value that is equal on all processes in every facet."""
        return Value(entity, UNIFORM, UNIFORM, UNIFORM, elements)

    def called(self, name: str) -> Value:
        """The same value; a newly created communicator takes the first name that it is bound to."""
        entity = self.entity
        if isinstance(entity, Communicator) and entity.label.startswith("the communicator created"):
            return replace(self, entity=replace(entity, label=f"`{name}`"))
        return self

    def of_content(self, content: Uniformity) -> Value:
        """The same value with a different content facet."""
        return Value(self.entity, content, self.structure, self.noneness, self.elements)


def is_replicated(value: Value) -> bool:
    """Whether a collective returned equal values to all processes."""
    return isinstance(value.entity, ResultOf) and value.content.level is Level.UNIFORM


def _join_entities(a: Entity | None, b: Entity | None) -> Entity | None:
    if a == b:
        return a
    # ``x = None`` next to an actual value is a fall-back (optional import, optional communicator), not an alternative.
    none = Literal(None, "NoneType")
    if a == none and b is not None:
        return b
    if b == none and a is not None:
        return a
    if isinstance(a, Communicator) and isinstance(b, Communicator):
        return _join_communicators(a, b)
    if isinstance(a, RankOf) and isinstance(b, RankOf):
        return RankOf(_join_communicators(a.communicator, b.communicator))
    if isinstance(a, Instance) and isinstance(b, Instance):
        same = (a.path, a.qualname) == (b.path, b.qualname)
        return Instance(a.path, a.qualname, _either(a.key, b.key, " & ")) if same else None
    if isinstance(a, (Container, Record)) and isinstance(b, (Container, Record)):
        return _join_containers(a, b)
    if isinstance(a, ResultOf) and isinstance(b, ResultOf):
        return _join_objects(a, b)
    if isinstance(a, Unordered) and isinstance(b, Unordered):
        return Unordered(a.stable and b.stable, a.text and b.text)
    return None


def _join_containers(a: Container | Record, b: Container | Record) -> Container | None:
    kinds = {one.kind if isinstance(one, Container) else "dict" for one in (a, b)}
    if kinds == {"ndarray", "mask"}:
        return Container("ndarray")
    return Container(kinds.pop()) if len(kinds) == 1 else None


def _join_objects(a: ResultOf, b: ResultOf) -> ResultOf | None:
    """The object that one of two calls has made: a file that is opened for writing or for appending."""
    if a.operation != b.operation or a.communicator is None or b.communicator is None:
        return None
    return replace(a, communicator=_join_communicators(a.communicator, b.communicator))


def _join_communicators(a: Communicator, b: Communicator) -> Communicator:
    if a.groups == b.groups and a.context == b.context:
        return replace(a, ancestors=a.ancestors | b.ancestors)
    same = not b.groups or a.label == b.label
    label = a.label if same else b.label if not a.groups else f"{a.label} or {b.label}"
    return Communicator(
        _either(a.context, b.context), either_group(a.groups, b.groups), a.ancestors & b.ancestors, label, a.origin
    )


def _either(a: str, b: str, separator: str = EITHER) -> str:
    return separator.join(sorted(set(a.split(separator)) | set(b.split(separator))))


def either_group(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """One group that may be either of two; a communicator of a single process adds nothing."""
    if not a or not b:
        return a or b
    return frozenset({_either(next(iter(a)), next(iter(b)))})


NOTHING = Value()


@lru_cache(maxsize=65536, typed=True)
def literal(value: object) -> Value:
    """The value of a Python constant."""
    return Value.uniform(Literal.of(value))


def common(contents: list[Uniformity]) -> Uniformity:
    """The uniformity common to several parts: a divergent part does not determine that of the others."""
    if not contents:
        return UNIFORM
    joined = contents[0]
    for content in contents[1:]:
        joined = joined.join(content)
    return joined if all(content.level.diverges == joined.level.diverges for content in contents) else UNKNOWN


Environment = dict[str, Value]
"""The values of names and chains of attributes at some position of a function."""
