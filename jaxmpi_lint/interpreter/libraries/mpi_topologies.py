"""Communicators with neighbours, and calls that leave the world of one program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.libraries.mpi_arguments import buffer, is_known, stop
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.libraries.mpi_communicators import constructed, constructor, same_group
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.neighbourhoods import neighbours, out_of_range
from jaxmpi_lint.interpreter.values import Cut, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


def _neighbours(name: str) -> Handler:
    """A collective among neighbours, of which only the call is compared."""

    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        event = Collective(rank.place(rank.state["span"]), name, communicator, name)
        event.extra["compute"] = _received
        if name[0].isupper():
            event.extra["receive"] = buffer(arguments.get(1, "recvbuf")).array
        return (yield from enter(rank, event))

    return call


def _received(world: World, present: dict[int, Collective]) -> dict[int, Value]:
    found: dict[int, Value] = {}
    for number, event in present.items():
        rank = world.processes[number].rank
        symbol = rank.own("received", event.kind, kind="" if event.kind[0].isupper() else "list")
        target = event.extra.get("receive")
        if isinstance(target, Array):
            arrays.fill(rank, target, None, symbol)
        found[number] = None if event.kind[0].isupper() else symbol
    return found


def _adjacent(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    """A graph of which each rank names the edges that lead to it and those that leave it."""
    payload = same_group(rank, arguments)
    event = constructed(rank, "Create_dist_graph_adjacent", communicator, payload)
    named = neighbours(arguments.get(0, "sources"), arguments.get(1, "destinations"))
    event.extra["neighbours"] = named
    rank.world.uses_size |= rank.world.reads_size
    wrong = None if named is None or not is_known(communicator) else out_of_range(event, rank.number, named)
    if wrong is not None:
        stop(rank, wrong)
    return (yield from enter(rank, event))


def _cut(reason: str) -> Handler:
    def call(rank: Rank, *_: Any) -> Value:
        raise Cut(reason)

    return call


def _duplicate(rank: Rank, arguments: Arguments) -> Value:
    """A communicator of another class with the same members and messages."""
    found = arguments.get(0, "comm")
    if not isinstance(found, Communicator):
        raise Cut("an unknown communicator")
    return found


_EXCHANGES = ("allgather", "alltoall")
_NAMES = (
    *(f"neighbor_{name}" for name in _EXCHANGES),
    *(f"Neighbor_{name}{variant}" for name in _EXCHANGES for variant in ("", "v")),
    "Neighbor_alltoallw",
)
_OTHER_PROGRAMS = ("Spawn", "Spawn_multiple", "Accept", "Connect", "Join")

METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        **{name: constructor(name, same_group) for name in ("Create_graph", "Create_dist_graph")},
        "Create_dist_graph_adjacent": _adjacent,
        **{name: _neighbours(name) for name in _NAMES},
        **dict.fromkeys(_OTHER_PROGRAMS, _cut("processes of a different program")),
        **dict.fromkeys(("Create_intercomm", "Merge"), _cut("an intercommunicator")),
    },
}
FUNCTIONS: dict[str, Handler] = {
    "mpi4py.util.pkl5.Intracomm": _duplicate,
    "mpi4py.MPI.Intracomm": _duplicate,
    "mpi4py.futures.MPIPoolExecutor": _cut("a pool of worker processes"),
    "mpi4py.futures.MPICommExecutor": _cut("a pool of worker processes"),
    "mpi4py.MPI.Comm.Get_parent": _cut("a program that another one may start"),
}
