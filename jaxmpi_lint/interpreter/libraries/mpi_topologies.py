"""Communicators with neighbours, and calls that leave the world of one program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, intercommunicators
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.libraries.mpi_arguments import buffer, integer, is_known, stop
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.libraries.mpi_communicators import constructed, constructor, same_group
from jaxmpi_lint.interpreter.libraries.mpi_messages import exchange
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
            array_changes.fill(rank, target, None, symbol)
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


def _create_intercommunicator(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    """The leaders of two groups tell each other their members, which then learn of the other group."""
    name, place = "Create_intercomm", rank.place(rank.state["span"])
    leader = integer(arguments.get(0, "local_leader"), "leader")
    first = Collective(place, name, communicator, name, root=leader)
    yield from enter(rank, first)
    own, heard = (communicator.members, first.extra.get("slot")), None
    if communicator.number == leader:
        heard = yield from exchange(rank, _bridge(rank, arguments), _to_leader(arguments, own), "sendrecv", name)
    second = Collective(place, name, communicator, name, (leader, own, heard))
    second.extra["compute"] = _two_groups
    return (yield from enter(rank, second))


def _bridge(rank: Rank, arguments: Arguments) -> Communicator:
    """The communicator in which the leaders meet; its other messages are not touched."""
    peers = arguments.get(1, "peer_comm")
    if not isinstance(peers, Communicator) or peers.is_null or peers.remote:
        raise Cut("leaders that meet in an unknown communicator")
    identity = rank.world.communicator("bridge", peers.identity)
    return Communicator(identity, peers.label, peers.members, peers.number)


def _to_leader(arguments: Arguments, own: Value) -> list[Value]:
    other, tag = arguments.get(2, "remote_leader"), arguments.get(3, "tag", 0)
    return [own, other, tag, None, other, tag, None]


def _two_groups(world: World, present: dict[int, Collective]) -> dict[int, Value]:
    """The intercommunicator of a group; the payload is the leader, this group, and the other one if it is known."""
    members = tuple(present)
    leader = present[members[0]].payload[0]
    _, own, heard = present[members[leader]].payload
    identity = world.communicator("two groups", *sorted((own, heard)))
    return {
        number: Communicator(identity, "the intercommunicator", members, at, remote=heard[0])
        for at, number in enumerate(members)
    }


def _merge(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    if not communicator.remote:
        raise Cut("a communicator of one group that is merged")
    event = Collective(rank.place(rank.state["span"]), "Merge", communicator, "Merge", arguments.get(0, "high", False))
    event.extra["compute"] = intercommunicators.merged
    return (yield from enter(rank, event))


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
        "Create_intercomm": _create_intercommunicator,
        "Merge": _merge,
        "Is_inter": lambda rank, communicator, arguments: communicator.attribute(rank, "is_inter"),
        "Is_intra": lambda rank, communicator, arguments: communicator.attribute(rank, "is_intra"),
        "Get_remote_size": lambda rank, communicator, arguments: communicator.attribute(rank, "remote_size"),
        "Get_remote_group": lambda rank, communicator, arguments: communicator.attribute(rank, "remote_group"),
    },
}
FUNCTIONS: dict[str, Handler] = {
    "mpi4py.util.pkl5.Intracomm": _duplicate,
    "mpi4py.MPI.Intracomm": _duplicate,
    "mpi4py.futures.MPIPoolExecutor": _cut("a pool of worker processes"),
    "mpi4py.futures.MPICommExecutor": _cut("a pool of worker processes"),
    "mpi4py.MPI.Comm.Get_parent": _cut("a program that another one may start"),
}
