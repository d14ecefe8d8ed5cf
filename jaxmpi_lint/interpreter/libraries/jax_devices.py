"""Devices of JAX, meshes and shardings, and the arrays that are spread over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.fetches import note_divided
from jaxmpi_lint.interpreter.libraries.jax_callbacks import ask, check_own_shard
from jaxmpi_lint.interpreter.libraries.jax_functions import traces
from jaxmpi_lint.interpreter.libraries.jax_launches import launch, together, use_devices
from jaxmpi_lint.interpreter.libraries.jax_processes import global_array
from jaxmpi_lint.interpreter.libraries.jax_replicas import note, same_values
from jaxmpi_lint.interpreter.libraries.jax_values import (
    ARRAYS,
    GLOBAL,
    REPLICATED,
    SHARDED,
    Device,
    Devices,
    Mesh,
    Shard,
    Sharding,
    Specification,
    as_jax,
    is_global,
    leaves,
    names_of,
    spread_of,
    tree_map,
)
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


# --- devices ---


def _all_devices(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    return Devices(None, rank.world.size)


def _local_devices(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    number = arguments.get(0, "process_index")
    if number is not None and not isinstance(number, int):
        return rank.symbol("call", Library("jax.local_devices"), number, kind="list")
    return Devices(rank.number if number is None else number, rank.world.size)


def local_count(rank: Rank) -> Symbol:
    """The number of devices of a process, taken to be equal on all."""
    return rank.symbol("local devices", kind="int")


def _local_count(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    return local_count(rank)


def _count(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    return rank.symbol("operation", "*", local_count(rank), rank.world.size, kind="int")


def _backend(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    return rank.symbol("default backend", kind="str")


def _indices(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    return list(range(rank.world.size))


# --- meshes and shardings ---


def _mesh(rank: Rank, arguments: Arguments) -> Value:
    """``Mesh(devices, names)``."""
    devices = arguments.get(0, "devices")
    return Mesh(_spread(devices), tuple(arguments.every()))


def _spread(devices: Value) -> bool | None:
    known = leaves(devices)
    if known and all(isinstance(one, Device) for one in known):
        return None if len({one.process for one in known}) > 1 else False
    return spread_of(devices)


def _make_mesh(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    devices = arguments.keywords.get("devices")
    return Mesh(True if devices is None else _spread(devices), tuple(arguments.every()))


def _device_mesh(rank: Rank, arguments: Arguments) -> Value:
    """An array of devices for a mesh."""
    use_devices(rank)
    devices = arguments.get(1, "devices") if "devices" in arguments.keywords else None
    spread = True if devices is None and len(arguments.values) < 2 else _spread(arguments.get(1, "devices"))
    if spread is None:
        return rank.symbol("devices part", *arguments.every())
    return Devices(None if spread else rank.number, rank.world.size)


def _hybrid_mesh(rank: Rank, arguments: Arguments) -> Value:
    devices = arguments.get(2, "devices")
    return _device_mesh(rank, Arguments((), {} if devices is None else {"devices": devices}))


def _sharding(rank: Rank, arguments: Arguments) -> Value:
    """``NamedSharding(mesh, spec)``."""
    mesh, spec = arguments.get(0, "mesh"), arguments.get(1, "spec")
    spread = spread_of(mesh)
    kind = ""
    if spread:
        kind = spec.kind if isinstance(spec, Specification) else GLOBAL
    divides = kind == SHARDED and isinstance(mesh, Mesh) and names_of(spec.parts) == names_of(mesh.described[1:])
    return Sharding(kind, spread is not None, tuple(arguments.every()), divides)


def _specification(rank: Rank, arguments: Arguments) -> Value:
    return Specification(arguments.values)


def _on_one_device(rank: Rank, arguments: Arguments) -> Value:
    return Sharding("", True, tuple(arguments.every()))


# --- arrays ---


def _from_local_data(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    sharding, data = arguments.get(0, "sharding"), arguments.get(1, "local_data")
    if isinstance(sharding, Sharding) and sharding.kind == REPLICATED:
        note(rank, "make_array_from_process_local_data", data)
    found = _placed(rank, sharding, data)
    if isinstance(sharding, Sharding) and sharding.kind == SHARDED and not arguments.has(2, "global_shape"):
        for leaf, whole in zip(leaves(data), leaves(found), strict=False):
            if isinstance(leaf, Array) and not leaf.is_guessed and leaf.shape is not None:
                rank.state.setdefault("local shapes", {})[whole] = leaf.shape
    return found


def _from_callback(rank: Rank, arguments: Arguments) -> Running:
    """``make_array_from_callback``: the function is called for the part that each process has, or for the whole."""
    use_devices(rank)
    sharding, function = arguments.get(1, "sharding"), arguments.get(2, "data_callback")
    if isinstance(sharding, Sharding) and sharding.kind == REPLICATED and function is not None:
        own = yield from ask(rank, function, rank.symbol("whole index", arguments.get(0, "shape")))
        note(rank, "make_array_from_callback", own)
    else:
        yield from check_own_shard(rank, arguments.get(0, "shape"), sharding, function)
    return _placed(rank, sharding, rank.symbol("data", *arguments.every()))


def _from_arrays(rank: Rank, arguments: Arguments) -> Value:
    """``make_array_from_single_device_arrays``."""
    use_devices(rank)
    return _placed(rank, arguments.get(1, "sharding"), rank.symbol("data", *arguments.every()))


def _placed(rank: Rank, sharding: Value, data: Value) -> Value:
    if isinstance(sharding, Sharding):
        if sharding.kind:
            return tree_map(lambda leaf: _spread_over(rank, sharding, leaf), data)
        return as_jax(data.copy()) if isinstance(data, Array) else data
    return tree_map(lambda leaf: rank.symbol("placed", leaf, sharding, is_guess=True), data)


def _spread_over(rank: Rank, sharding: Sharding, leaf: Value) -> Value:
    found = global_array(rank, sharding.kind, leaf)
    if sharding.divides and found is not leaf:
        note_divided(rank, found)
    return found


def _device_put(rank: Rank, arguments: Arguments) -> Running:
    """Data of one process on devices of all: JAX compares what the processes have."""
    use_devices(rank)
    data, sharding = arguments.get(0, "x"), arguments.get(1, "device")
    first = next(iter(leaves(sharding)), None)
    if isinstance(first, Sharding) and first.kind:
        if not all(is_global(leaf) for leaf in leaves(data)):
            yield from together(rank, "device_put", data, check=same_values)
        return tree_map(lambda leaf: _spread_over(rank, first, leaf), data)
    if isinstance(first, Symbol):
        return tree_map(lambda leaf: rank.symbol("placed", leaf, sharding, is_guess=True), data)
    return tree_map(lambda leaf: as_jax(leaf.copy()) if isinstance(leaf, Array) else leaf, data)


def _local_part(rank: Rank, array: Symbol, *_: Any) -> Value:
    """The data that one process has of an array of all."""
    return rank.symbol("local part", array, rank.number, own=("received",))


def _shards(rank: Rank, array: Symbol) -> Value:
    return [Shard(_local_part(rank, array))]


def _reduced(name: str) -> Callable[..., Any]:
    def call(rank: Rank, array: Symbol, arguments: Arguments) -> Running:
        if array.kind == SHARDED and not traces(rank).stack:
            yield from launch(rank, name, ("method", name), array)
        return rank.symbol("method", name, array, *arguments.values, dict(arguments.keywords), kind=GLOBAL)

    return call


def _same_kind(rank: Rank, array: Symbol, *_: Any) -> Value:
    return array


_REDUCTIONS = "sum mean max min any all std var prod argmax argmin dot trace".split()
_METHODS: dict[str, Callable[..., Any]] = {
    **{name: _reduced(name) for name in _REDUCTIONS},
    "addressable_data": _local_part,
    "block_until_ready": _same_kind,
    "astype": _same_kind,
    "copy": _same_kind,
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = dict.fromkeys(ARRAYS, _METHODS)
_SHARED = ("shape", "size", "ndim", "dtype", "sharding")
FUNCTIONS: dict[str, Handler] = {
    "jax.devices": _all_devices,
    "jax.local_devices": _local_devices,
    "jax.device_count": _count,
    "jax.local_device_count": _local_count,
    "jax.default_backend": _backend,
    "jax.process_indices": _indices,
    "jax.host_ids": _indices,
    "devices.size:attribute": lambda rank, devices: rank.symbol("length", devices, kind="int"),
    "jax.sharding.Mesh": _mesh,
    "jax.make_mesh": _make_mesh,
    "jax.experimental.mesh_utils.create_device_mesh": _device_mesh,
    "jax.experimental.mesh_utils.create_hybrid_device_mesh": _hybrid_mesh,
    "jax.sharding.NamedSharding": _sharding,
    "jax.sharding.PartitionSpec": _specification,
    "jax.sharding.SingleDeviceSharding": _on_one_device,
    "jax.make_array_from_process_local_data": _from_local_data,
    "jax.make_array_from_callback": _from_callback,
    "jax.make_array_from_single_device_arrays": _from_arrays,
    "jax.device_put": _device_put,
    "jax.device_get": lambda rank, arguments: arguments.get(0, "x"),
    "jax.block_until_ready": lambda rank, arguments: arguments.get(0, "x"),
    **{f"{kind}.addressable_shards:attribute": _shards for kind in ARRAYS},
    **{f"{kind}.T:attribute": _same_kind for kind in ARRAYS},
    **{
        f"{kind}.{name}:attribute": lambda rank, array, name=name: rank.symbol("attribute", array, name)
        for kind in ARRAYS
        for name in _SHARED
    },
}
PURE = ("jax.debug", "jax.config", "jax.tree_util", "jax.core", "jax.dtypes", "jax.sharding", "jax.profiler")
