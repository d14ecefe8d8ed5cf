"""Values of JAX programs: devices, meshes, shardings, compiled functions, and trees of arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import BoundMethod, FunctionValue, Library, Method, Partial, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

GUESSED_DEVICES = 2
"""Devices of one process where a program iterates over them; their number itself is a symbol."""

GLOBAL = "global array"
SHARDED = "sharded array"
REPLICATED = "replicated array"
ARRAYS = frozenset({GLOBAL, SHARDED, REPLICATED})
"""Kinds of the symbols of arrays whose shards lie in all processes: with unknown, divided and equal shards."""


def processes(rank: Rank) -> Communicator:
    """All processes of the program, the members of JAX's collective operations."""
    found = rank.state.get("processes")
    if found is None:
        identity = rank.world.communicator("processes")
        members = tuple(range(rank.world.size))
        found = rank.state["processes"] = Communicator(identity, "all processes", members, rank.number)
    return found


@dataclass(slots=True, eq=False)
class Device(Modelled):
    """One device; ``process`` is the rank that it belongs to."""

    process: int
    ordinal: int
    type_name = "device"

    def freeze(self, _depth: int) -> object:
        """Process and number."""
        return "device", self.process, self.ordinal

    def same(self, other: Value) -> bool:
        """``==``: the same device."""
        return isinstance(other, Device) and (other.process, other.ordinal) == (self.process, self.ordinal)

    def attribute(self, rank: Rank, name: str) -> Value:
        """The process; other attributes are symbols that all devices share."""
        if name in ("process_index", "host_id"):
            return self.process
        if name in ("platform", "device_kind"):
            return rank.symbol("device", name, kind="str")
        return Method(self, name) if name == "memory_stats" else rank.symbol("device", name, self.process, self.ordinal)


@dataclass(slots=True, eq=False)
class Devices(Modelled):
    """A list or mesh of all devices, or of those of one process (``owner``)."""

    owner: int | None
    size: int
    type_name = "devices"

    @property
    def is_global(self) -> bool:
        """Whether all processes have a part in it."""
        return self.owner is None

    def freeze(self, _depth: int) -> object:
        """Whose devices."""
        return "devices", "all" if self.owner is None else "local", self.owner

    def items_for(self, rank: Rank) -> list[Value]:
        """The devices of a loop: a few of each process."""
        owners = range(self.size) if self.owner is None else (self.owner,)
        return [Device(owner, number) for owner in owners for number in range(GUESSED_DEVICES)]

    def item(self, rank: Rank, index: Value) -> Value:
        """The first device of the list is known, other parts are symbols."""
        if index == 0 and isinstance(index, int):
            return Device(self.owner or 0, 0)
        return rank.symbol("devices part", self, index)


@dataclass(slots=True, eq=False)
class Mesh(Modelled):
    """A mesh; ``spread`` is whether it has devices of all processes, None if that is not known.

    ``described`` has its devices or their number, then the names of the axes and other arguments.
    """

    spread: bool | None
    described: tuple[Value, ...]
    type_name = "mesh"

    def freeze(self, depth: int) -> object:
        """What it was made of."""
        return "mesh", self.spread, freeze(self.described, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Sizes and names are symbols."""
        if name == "devices" and self.spread is not None:
            return Devices(None if self.spread else rank.number, rank.world.size)
        return rank.symbol("attribute", self, name)


@dataclass(slots=True, eq=False)
class Sharding(Modelled):
    """A sharding; ``kind`` is that of the arrays, empty for arrays of one process or unknown ones.

    ``divides`` if it names all axes of a mesh of all devices, so that no process has all of an array.
    """

    kind: str
    is_known: bool
    described: object
    divides: bool = False
    type_name = "sharding"

    def freeze(self, depth: int) -> object:
        """What it was made of."""
        return "sharding", self.kind, freeze(self.described, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Mesh and specification are symbols."""
        return rank.symbol("attribute", self, name)


@dataclass(slots=True, eq=False)
class Specification(Modelled):
    """`PartitionSpec`: the names of mesh axes over which the dimensions of an array are divided."""

    parts: tuple[Value, ...]
    type_name = "specification"

    @property
    def kind(self) -> str:
        """The kind of the arrays on a mesh of all devices."""
        if all(part is None for part in self.parts):
            return REPLICATED
        return SHARDED if any(isinstance(part, (str, tuple)) for part in self.parts) else GLOBAL

    def freeze(self, depth: int) -> object:
        """The names."""
        return "specification", freeze(self.parts, depth)


@dataclass(slots=True, eq=False)
class Shard(Modelled):
    """A part of a global array on a device of this process."""

    data: Value
    type_name = "shard"

    def freeze(self, depth: int) -> object:
        """The data."""
        return "shard", freeze(self.data, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """The data; other attributes are symbols."""
        return self.data if name == "data" else rank.symbol("attribute", self, name)


@dataclass(slots=True, eq=False)
class Compiled(Modelled):
    """What `jax.jit`, `pmap`, `vmap`, `grad` and so on make of a function; ``options`` are their arguments."""

    transform: str
    function: Value
    options: dict[str, Value] = field(default_factory=dict)
    type_name = "compiled function"
    is_function = True

    def freeze(self, depth: int) -> object:
        """Transformation and function."""
        return "compiled", self.transform, freeze(self.function, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """A method, or the function itself."""
        if name == "__wrapped__":
            return self.function
        if name == "__name__":
            return name_of(self)
        return Method(self, name)


def name_of(function: Value) -> str:
    """The name of a function, as messages show it."""
    if isinstance(function, (Compiled, Partial, BoundMethod)):
        return name_of(function.function)
    if isinstance(function, FunctionValue):
        return function.ir.name if function.ir.kind != "lambda" else "lambda"
    if isinstance(function, Library):
        return function.dotted.rpartition(".")[2]
    return "the compiled function"


def identity_of(function: Value) -> object:
    """What is equal on processes that run the same function: the place of its text; None if that is not known."""
    if isinstance(function, (Compiled, Partial, BoundMethod)):
        inner = identity_of(function.function)
        outer = function.transform if isinstance(function, Compiled) else ""
        return None if inner is None else (outer, inner)
    if isinstance(function, (FunctionValue, Library)):
        return function.freeze(1)
    return None


def names_of(parts: Value) -> frozenset[str] | None:
    """The axes that are named; None if one is not known. A mesh may have axes of length one beside them."""
    flat = [name for part in parts for name in (part if isinstance(part, (tuple, list)) else (part,))]
    known = frozenset(name for name in flat if isinstance(name, str))
    return None if any(isinstance(name, Symbol) for name in flat) else known


def is_global(value: Value) -> bool:
    """Whether a value is an array whose shards lie in all processes."""
    return isinstance(value, Symbol) and value.kind in ARRAYS


def leaves(value: Value, depth: int = 8) -> list[Value]:
    """The leaves of a tree of lists, tuples, dicts and objects."""
    if depth == 0:
        return [value]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part, depth - 1)]
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part, depth - 1)]
    return [] if value is None else [value]


def tree_map(change: Callable[[Value], Value], value: Value, depth: int = 8) -> Value:
    """A tree of the same form with other leaves."""
    if value is None or depth == 0:
        return value
    if isinstance(value, list):
        return [tree_map(change, part, depth - 1) for part in value]
    if isinstance(value, tuple):
        return tuple(tree_map(change, part, depth - 1) for part in value)
    if isinstance(value, dict):
        return {key: tree_map(change, part, depth - 1) for key, part in value.items()}
    return change(value)


def as_jax(value: Value) -> Value:
    """The result of a function of JAX: arrays in it are immutable."""
    if isinstance(value, Array):
        value.is_jax = True
    elif isinstance(value, (list, tuple)):
        for part in value:
            as_jax(part)
    return value


def spread_of(value: Value) -> bool | None:
    """Whether devices are those of all processes (True), of this one (False), or not known (None)."""
    if isinstance(value, Devices):
        return value.is_global
    if isinstance(value, Mesh):
        return value.spread
    words = _words(freeze(value))
    if "part" in words or not words & {"all", "local"}:
        return None
    return None if words >= {"all", "local"} else "all" in words


def _words(frozen: Any, depth: int = 24) -> set[str]:
    """How the devices occur in a description: all, local, or a part of them."""
    if isinstance(frozen, Symbol):
        return _words(frozen.key, depth - 1) if depth else {"part"}
    if not isinstance(frozen, tuple):
        return set()
    if len(frozen) == 3 and frozen[0] == "devices":
        return {str(frozen[1])}
    if frozen and frozen[0] in (("str", "devices part"), "device"):
        return {"part"}
    found: set[str] = set()
    for part in frozen if depth else ():
        found |= _words(part, depth - 1)
    return found
