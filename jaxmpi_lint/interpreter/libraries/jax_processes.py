"""Processes of JAX: their numbers, `jax.distributed`, and `multihost_utils`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import broadcast_sources, operations, process_numbers
from jaxmpi_lint.interpreter.agreed import shared
from jaxmpi_lint.interpreter.arrays import Array, of_cells, of_symbol
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.libraries.jax_launches import (
    Present,
    nothing,
    to_all,
    together,
    use_devices,
)
from jaxmpi_lint.interpreter.libraries.jax_replicas import note
from jaxmpi_lint.interpreter.libraries.jax_structures import same_trees
from jaxmpi_lint.interpreter.libraries.jax_values import (
    GLOBAL,
    REPLICATED,
    Specification,
    is_global,
    leaves,
    spread_of,
    tree_map,
)
from jaxmpi_lint.interpreter.libraries.launcher_variables import OfJob, OfNode
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.path_parts import own_variation
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, fail
from jaxmpi_lint.interpreter.sizes import RankCount
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_ON_NODE = "`process_id` counts the processes of one node, but `num_processes` those of all"
_SERVICE = "the coordination service"
_LOCAL_INPUTS = ("local_inputs", "global_mesh", "pspecs")
_OUTSIDE = frozenset({"argv", "environ"})
_SURELY_DIFFERENT = frozenset({"clock", "random"})
"""Tags of values that are never equal by chance; own files or machines may well be alike."""


# --- numbers of processes ---


def _is_one_of_mpi(rank: Rank) -> bool:
    """Whether MPI runs the program and JAX has not been initialized: each rank is then the only process of JAX.

    Cloud TPUs need no initialization, so that even this is not certain; the number is then a symbol.
    """
    return "world" in rank.state and rank.state.get("initialized") is None


def _index(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    if _is_one_of_mpi(rank):
        return rank.symbol("process index", kind="int")
    return rank.state.get("process id", rank.number)


def _count(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    if _is_one_of_mpi(rank):
        return rank.symbol("process count", kind="int")
    return rank.world.size


# --- initialization ---


def _initialize(rank: Rank, arguments: Arguments) -> Running:
    count, number = arguments.get(1, "num_processes"), arguments.get(2, "process_id")
    event = Collective(rank.place(rank.state["span"]), "initialize", _service(rank), "initialize")
    if rank.state.get("initialized"):
        raise _refused(Fault(Kind.INITIALIZE, event, rank.number, detail="called twice"))
    if "devices used" in rank.state and "asked" in rank.state:
        raise fail("RuntimeError")
    if "devices used" in rank.state:
        used = rank.state["devices used"]
        origin = (used.module, used.span, "this call uses the devices")
        raise _refused(Fault(Kind.INITIALIZE, event, rank.number, detail="devices are used before", origins=(origin,)))
    process_numbers.learn(rank, count, process_numbers.COUNT)
    process_numbers.learn(rank, number, process_numbers.NUMBER)
    known = None if _is_set_from_outside(rank) else number
    address = arguments.get(0, "coordinator_address")
    if isinstance(number, OfNode) and isinstance(count, (OfJob, RankCount)) and not _is_on_this_host(address):
        rank.world.report(Fault(Kind.NUMBER_ON_NODE, event, rank.number, detail=_ON_NODE))
    event.extra.update(count=count, id=known, address=address, check=_same_configuration, compute=nothing)
    yield event
    if isinstance(count, int) and count != rank.world.size:
        if _follows_size(rank, count):
            raise _refused(Fault(Kind.INITIALIZE, event, rank.number, detail=f"{count} of {rank.world.size} processes"))
        raise Cut("a program for a different number of processes")
    rank.state["initialized"] = True
    if isinstance(number, int) and not isinstance(number, bool):
        rank.state["process id"] = number
    return None


def _is_on_this_host(address: Value) -> bool:
    return isinstance(address, str) and address.startswith(("localhost", "127.0.0.1"))


def _is_set_from_outside(rank: Rank) -> bool:
    """Whether variables or arguments were tested before: the launcher may give each process a different number."""
    return any(symbol.words() & _OUTSIDE for turn in rank.turns for symbol, _ in turn.asked)


def _follows_size(rank: Rank, count: int) -> bool:
    """Whether a wrong number of processes is computed from their true number, not one that the program is made for."""
    known = rank.program.facts.setdefault(("processes", rank.state["span"]), {})
    known[rank.world.size] = count
    return len(set(known.values())) > 1


def _refused(fault: Fault) -> ProgramError:
    """The RuntimeError of an initialization; the fault counts if the program does not catch it."""
    raised = Raised("RuntimeError")
    raised.fields["*fault"] = fault
    return ProgramError(raised)


def _service(rank: Rank) -> Communicator:
    identity = rank.world.communicator(_SERVICE)
    return Communicator(identity, _SERVICE, tuple(range(rank.world.size)), rank.number)


def _same_configuration(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    if number == lowest:
        return None
    mine, others = first.extra["count"], event.extra["count"]
    if isinstance(mine, int) and isinstance(others, int) and mine != others:
        return Fault(Kind.INITIALIZE, first, lowest, number, event, f"{mine} and {others} processes")
    mine, others = first.extra["id"], event.extra["id"]
    if isinstance(mine, int) and isinstance(others, int) and mine == others and first.extra["count"] != 1:
        return Fault(Kind.INITIALIZE, first, lowest, number, event, f"process_id={mine} on several processes")
    return _same_address(first, lowest, event, number)


def _same_address(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    """Coordinator addresses of which each process makes a part for itself: a free port, a random number."""
    count = first.extra["count"]
    if not isinstance(count, int) or count == 1:
        return None
    variation = own_variation(first.extra["address"], event.extra["address"], (lowest, number))
    if variation is None:
        return None
    detail = "each makes its own coordinator address"
    return Fault(Kind.INITIALIZE, first, lowest, number, event, detail, variation=variation)


def _is_initialized(rank: Rank, arguments: Arguments) -> Value:
    """A program that asks may run on one process too, where a late initialization was never meant to happen."""
    rank.state["asked"] = True
    return bool(rank.state.get("initialized"))


def _shutdown(rank: Rank, arguments: Arguments) -> Value:
    """The end of the connection; devices of before are gone too as far as is known."""
    rank.state["initialized"] = False
    rank.state.pop("devices used", None)


# --- multihost_utils ---


def _sync(rank: Rank, arguments: Arguments) -> Running:
    name = arguments.get(0, "name")
    return (yield from together(rank, "sync_global_devices", name=name, compute=nothing))


def _wait_at_barrier(rank: Rank, arguments: Arguments) -> Running:
    if arguments.has(2, "process_ids"):
        raise Cut("a barrier of some processes")
    return (yield from together(rank, "wait_at_barrier", name=arguments.get(0, "barrier_id"), compute=nothing))


def _allgather(rank: Rank, arguments: Arguments) -> Running:
    payload, tiled = arguments.get(0, "in_tree"), arguments.get(1, "tiled", False)
    compute = _gathered if tiled is False else to_all
    return (yield from together(rank, "process_allgather", payload, check=same_trees, compute=compute))


def _gathered(world: World, present: Present) -> dict[int, Value]:
    """One leaf with the parts of all processes for each leaf."""
    trees = [leaves(event.payload) for event in present.values()]
    if len({len(tree) for tree in trees}) != 1:
        return to_all(world, present)
    columns = [_stacked(world, present, place, column) for place, column in enumerate(zip(*trees, strict=True))]
    return {number: _with_leaves(event.payload, columns) for number, event in present.items()}


def _with_leaves(tree: Value, parts: list[Value]) -> Value:
    """A tree of the same form with given leaves."""
    rest = iter(parts)
    return tree_map(lambda _: copied(next(rest)), tree)


def _stacked(world: World, present: Present, place: int, column: tuple[Value, ...]) -> Value:
    symbol = shared(world, present, place)
    if all(isinstance(part, (int, float)) for part in column):
        return of_cells(list(column), (len(column),), "int64" if all(isinstance(p, int) for p in column) else "float64")
    if all(isinstance(part, Array) for part in column):
        shape, cells = column[0].shape, [part.cells for part in column]
        if shape is None:
            return symbol
        if all(known is not None for known in cells):
            joined = [cell for known in cells for cell in known]
            return of_cells(joined, (len(column), *shape), column[0].dtype)
        return of_symbol(symbol, (len(column), *shape), column[0].dtype)
    return symbol


def _broadcast(rank: Rank, arguments: Arguments) -> Running:
    source = arguments.get(1, "is_source")
    if source is None:
        source = rank.state.get("process id", rank.number) == 0
    options = {"source": source, "check": same_trees, "compute": _from_source}
    return (yield from together(rank, "broadcast_one_to_all", arguments.get(0, "in_tree"), **options))


def _from_source(world: World, present: Present) -> dict[int, Value]:
    broadcast_sources.check(world, present)
    sources = [event for event in present.values() if event.extra["source"] is True]
    if len(sources) != 1 or any(isinstance(event.extra["source"], Symbol) for event in present.values()):
        return to_all(world, present)
    payload = sources[0].payload
    if any(isinstance(leaf, Symbol) for leaf in leaves(payload)):
        places = iter(range(len(leaves(payload))))
        payload = tree_map(lambda leaf: _told(world, present, leaf, next(places)), payload)
    return {number: copied(payload) for number in present}


def _told(world: World, present: Present, leaf: Value, place: int) -> Value:
    """A value that was one of the source only: a symbol that all have now."""
    return shared(world, present, place) if isinstance(leaf, Symbol) else leaf


def _assert_equal(rank: Rank, arguments: Arguments) -> Running:
    return (yield from together(rank, "assert_equal", arguments.get(0, "in_tree"), check=_equal, compute=nothing))


def _equal(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    fault = same_trees(first, lowest, event, number)
    if fault is not None:
        return fault
    mine, others = _flat(first.payload), _flat(event.payload)
    for one, other in zip(mine, others, strict=False):
        if _surely_differ(one, other):
            return Fault(Kind.VALUE, first, lowest, number, event, _show(one, other))
    return None


def _flat(value: Value) -> list[Value]:
    found: list[Value] = []
    for leaf in leaves(value):
        cells = leaf.cells if isinstance(leaf, Array) else [leaf]
        found += [leaf] if cells is None else cells
    return found


def _surely_differ(one: Value, other: Value) -> bool:
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        is_own = bool(one.own & other.own & _SURELY_DIFFERENT) and not (one.is_guess or other.is_guess)
        return is_own and one is not other and one.key[0] == other.key[0] == ("str", "own")
    return operations.is_plain(one) and operations.is_plain(other) and bool(one != other)


def _show(one: Value, other: Value) -> str:
    return "values of each process" if isinstance(one, Symbol) else f"{one!r} and {other!r}"


def _preempted(rank: Rank, arguments: Arguments) -> Running:
    found = yield from together(rank, "reached_preemption_sync_point")
    return rank.symbol("preempted", found, kind="bool")


def _to_global(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    data, mesh, specification = (arguments.get(at, name) for at, name in enumerate(_LOCAL_INPUTS))
    if isinstance(specification, Specification) and specification.kind == REPLICATED and spread_of(mesh):
        note(rank, "host_local_array_to_global_array", data)
    return tree_map(lambda leaf: global_array(rank, GLOBAL, leaf), data)


def global_array(rank: Rank, kind: str, leaf: Value) -> Value:
    """An array that all processes share; an array that is one already stays what it is."""
    if is_global(leaf):
        return leaf
    return rank.symbol("global", rank.state["span"], rank.serial("global array"), kind=kind)


def _to_local(rank: Rank, arguments: Arguments) -> Value:
    use_devices(rank)
    return tree_map(lambda leaf: rank.own("received", leaf), arguments.get(0, "global_inputs"))


def _key_value(rank: Rank, arguments: Arguments) -> Value:
    return rank.symbol("key value", arguments.get(0, "key"), kind="str")


_ALL = "jax.experimental.multihost_utils."
_CLIENT = "jax.distributed.global_state.client."
FUNCTIONS: dict[str, Handler] = {
    **dict.fromkeys(("jax.process_index", "jax.host_id", "orbax.checkpoint.multihost.process_index"), _index),
    **dict.fromkeys(("jax.process_count", "jax.host_count", "orbax.checkpoint.multihost.process_count"), _count),
    "jax.distributed.initialize": _initialize,
    "jax.distributed.is_initialized": _is_initialized,
    "jax.distributed.shutdown": _shutdown,
    _ALL + "sync_global_devices": _sync,
    _ALL + "process_allgather": _allgather,
    _ALL + "broadcast_one_to_all": _broadcast,
    _ALL + "assert_equal": _assert_equal,
    _ALL + "reached_preemption_sync_point": _preempted,
    _ALL + "host_local_array_to_global_array": _to_global,
    _ALL + "global_array_to_host_local_array": _to_local,
    _CLIENT + "wait_at_barrier": _wait_at_barrier,
    _CLIENT + "blocking_key_value_get": _key_value,
    _CLIENT + "blocking_key_value_get_bytes": _key_value,
    _CLIENT + "key_value_set": lambda rank, arguments: None,
    "orbax.checkpoint.multihost.broadcast_one_to_all": _broadcast,
    "orbax.checkpoint.multihost.sync_global_processes": _sync,
    "orbax.checkpoint.multihost.reached_preemption": _preempted,
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {}
