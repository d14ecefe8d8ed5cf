"""Communicators: the predefined ones, their construction, their end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import unpacking
from jaxmpi_lint.interpreter.communicators import Communicator, Group
from jaxmpi_lint.interpreter.events import Abort, Collective
from jaxmpi_lint.interpreter.libraries.mpi_arguments import integer
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import unfit
from jaxmpi_lint.interpreter.values import Cut, Library, Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

UNDEFINED = -32766


def world(rank: Rank) -> Communicator:
    """MPI.COMM_WORLD."""
    members = tuple(range(rank.world.size))
    return _kept(rank, "world", lambda: Communicator(0, "MPI.COMM_WORLD", members, rank.number))


def itself(rank: Rank) -> Communicator:
    """MPI.COMM_SELF, which has another identity on each rank."""
    identity = -1 - rank.number
    return _kept(rank, "self", lambda: Communicator(identity, "MPI.COMM_SELF", (rank.number,), 0))


def _kept(rank: Rank, name: str, make: Callable[[], Communicator]) -> Communicator:
    if name not in rank.state:
        rank.state[name] = make()
    found: Communicator = rank.state[name]
    return found


def null(rank: Rank) -> Communicator:
    """MPI.COMM_NULL."""
    return Communicator(1, "MPI.COMM_NULL", (), None)


def constructor(name: str, arguments_of: Callable[[Rank, Arguments], Any]) -> Handler:
    """A method whose result is a communicator, made by all members together."""

    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        return (yield from enter(rank, constructed(rank, name, communicator, arguments_of(rank, arguments))))

    return call


def constructed(rank: Rank, name: str, communicator: Communicator, payload: Any) -> Collective:
    """The event of such a call; the payload is colour, key and further properties."""
    if communicator.remote:
        raise Cut("a communicator that is made of an intercommunicator")
    event = Collective(rank.place(rank.state["span"]), name, communicator, name, payload)
    event.extra["compute"] = split
    return event


def split(world: World, present: dict[int, Collective]) -> dict[int, Value]:
    """Communicators by colour, in the order of the keys; the payload is colour, key and further properties."""
    colours: dict[Any, list[tuple[Any, int, int]]] = {}
    for index, (number, event) in enumerate(present.items()):
        colour, key, _ = event.payload
        colours.setdefault(colour, []).append((key, index, number))
    _check_order(world, present)
    found: dict[int, Value] = {}
    for number, event in present.items():
        colour, _, extra = event.payload
        if colour is None:
            found[number] = Communicator(1, "MPI.COMM_NULL", (), None)
            continue
        members = tuple(number_ for _, _, number_ in sorted(colours[colour]))
        identity = world.communicator(event.extra["slot"], colour)
        made = Communicator(identity, f"the communicator of {event.label}", members, members.index(number))
        made.dimensions, made.periods = extra or ((), ())
        found[number] = made
    return found


def _check_order(world: World, present: dict[int, Collective]) -> None:
    """Report a colour for each rank with keys for several ranks: the arguments have changed places."""
    if next(iter(present.values())).label != "Split" or len(present) < _SEVERAL_GROUPS:
        return
    colours = {event.payload[0] for event in present.values()}
    keys = {event.payload[1] for event in present.values()}
    if len(colours) == len(present) and None not in colours and 1 < len(keys) < len(present):
        number, event = min(present.items())
        detail = f"{len(colours)} colours and {len(keys)} keys for {len(present)} ranks"
        world.report(Fault(Kind.COLOURS, event, number, detail=detail))


_SEVERAL_GROUPS = 4
"""Ranks that make several groups of several ranks."""


def _colour_and_key(rank: Rank, arguments: Arguments) -> Any:
    colour, key = arguments.get(0, "color", 0), arguments.get(1, "key", 0)
    colour = colour.dotted if isinstance(colour, Library) else colour
    if colour is None or key is None:
        raise unfit(None)
    if not isinstance(colour, (int, str, bool)) or not isinstance(key, int):
        raise Cut("an unknown colour or key")
    is_undefined = colour == UNDEFINED or (isinstance(colour, str) and colour.endswith("UNDEFINED"))
    return (None if is_undefined else int(colour) if not isinstance(colour, str) else colour), key, None


def same_group(rank: Rank, arguments: Arguments) -> Any:
    return 0, 0, None


def _group(rank: Rank, arguments: Arguments) -> Any:
    group = arguments.get(0, "group")
    if not isinstance(group, Group):
        raise Cut("an unknown group")
    if rank.number not in group.members:
        return None, 0, None
    return group.members, group.members.index(rank.number), None  # disjoint groups make a communicator each


def _create_group(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    """Collective over the group only."""
    group = arguments.get(0, "group")
    if not isinstance(group, Group):
        raise Cut("an unknown group")
    if rank.number not in group.members:
        return null(rank)
    identity = rank.world.communicator("group", communicator.identity, group.members, arguments.get(1, "tag", 0))
    among = Communicator(identity, "the group", group.members, group.members.index(rank.number))
    event = Collective(rank.place(rank.state["span"]), "Create_group", among, "Create_group", (0, 0, None))
    event.extra["compute"] = split
    return (yield from enter(rank, event))


def _free(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    event = Collective(rank.place(rank.state["span"]), "Free", communicator, "Free")
    yield from enter(rank, event)
    communicator.is_freed = True
    return None


def _abort(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    yield Abort(rank.place(rank.state["span"]), "Abort")
    return None


def _rank(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    return communicator.attribute(rank, "rank")


def _size(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    return communicator.attribute(rank, "size")


def _get_group(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    return Group(communicator.members or ())


def _members(rank: Rank, group: Group, arguments: Arguments) -> tuple[int, ...]:
    chosen = unpacking.items(rank, arguments.get(0, "ranks"))
    return tuple(
        group.members[integer(one, "rank")] for one in chosen if 0 <= integer(one, "rank") < len(group.members)
    )


def _include(rank: Rank, group: Group, arguments: Arguments) -> Value:
    return Group(_members(rank, group, arguments))


def _exclude(rank: Rank, group: Group, arguments: Arguments) -> Value:
    left_out = _members(rank, group, arguments)
    return Group(tuple(member for member in group.members if member not in left_out))


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        "Get_rank": _rank,
        "Get_size": _size,
        "Get_group": _get_group,
        "Split": constructor("Split", _colour_and_key),
        "Split_type": constructor("Split_type", same_group),
        "Dup": constructor("Dup", same_group),
        "Clone": constructor("Dup", same_group),
        "Create": constructor("Create", _group),
        "Create_group": _create_group,
        "Free": _free,
        "Disconnect": _free,
        "Abort": _abort,
    },
    "group": {
        "Incl": _include,
        "Excl": _exclude,
        "Get_size": lambda rank, group, arguments: len(group.members),
        "Get_rank": lambda rank, group, arguments: group.attribute(rank, "rank"),
        "Free": lambda rank, group, arguments: None,
    },
}
CONSTANTS: dict[str, Callable[[Any], Value]] = {
    "mpi4py.MPI.COMM_WORLD": world,
    "mpi4py.MPI.COMM_SELF": itself,
    "mpi4py.MPI.COMM_NULL": null,
    "mpi4py.MPI.ANY_SOURCE": lambda rank: -1,
    "mpi4py.MPI.ANY_TAG": lambda rank: -1,
    "mpi4py.MPI.PROC_NULL": lambda rank: -2,
    "mpi4py.MPI.UNDEFINED": lambda rank: UNDEFINED,
}
FUNCTIONS: dict[str, Handler] = {
    "mpi4py.MPI.Wtime": lambda rank, arguments: rank.own("clock", kind="float"),
    "mpi4py.MPI.Get_processor_name": lambda rank, arguments: rank.own("machine", kind="str"),
    "mpi4py.MPI.Is_initialized": lambda rank, arguments: True,
    "mpi4py.MPI.Is_finalized": lambda rank, arguments: False,
    "mpi4py.MPI.Init": lambda rank, arguments: None,
    "mpi4py.MPI.Finalize": lambda rank, arguments: None,
}
PURE = ("mpi4py.MPI.Datatype", "mpi4py.MPI.Op", "mpi4py.rc", "mpi4py.MPI.Info")
