"""Files of MPI: the calls that all ranks make together, and the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays, buffers
from jaxmpi_lint.interpreter.communicators import Communicator, Group, Request
from jaxmpi_lint.interpreter.events import Access, Collective
from jaxmpi_lint.interpreter.libraries.mpi_arguments import buffer
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.requests import track
from jaxmpi_lint.interpreter.values import Cut, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


@dataclass(slots=True, eq=False)
class File(Modelled):
    """`MPI.File`: ``communicator`` stands for the ranks that opened it."""

    communicator: Communicator
    reads: int = 0
    type_name = "mpi file"

    def freeze(self, _depth: int) -> object:
        """The identity, equal on all ranks."""
        return "mpi file", self.communicator.identity


def _open(rank: Rank, arguments: Arguments) -> Running:
    communicator = arguments.get(0, "comm")
    if not isinstance(communicator, Communicator):
        raise Cut("an unknown communicator")
    event = Collective(rank.place(rank.state["span"]), "Open", communicator, "File.Open")
    event.extra["compute"] = _opened
    return (yield from enter(rank, event))


def _opened(world: World, present: dict[int, Collective]) -> dict[int, Value]:
    members = tuple(present)
    found: dict[int, Value] = {}
    for number, event in present.items():
        identity = world.communicator(event.extra["slot"], "file")
        found[number] = File(Communicator(identity, "the file", members, members.index(number)))
    return found


def _together(name: str) -> Handler:
    """A call that all ranks of the file make."""

    def call(rank: Rank, file: File, arguments: Arguments) -> Running:
        _transfer(rank, file, name, arguments)
        event = Collective(rank.place(rank.state["span"]), name, file.communicator, f"File.{name}")
        yield from enter(rank, event)

    return call


def _alone(name: str) -> Handler:
    def call(rank: Rank, file: File, arguments: Arguments) -> Value:
        _transfer(rank, file, name, arguments)
        if not name.startswith("I"):
            return None
        event = Access(rank.place(rank.state["span"]), name)
        array = buffer(arguments.get(int("_at" in name), "buf")).array
        used = [] if array is None else [(array, "read" in name)]
        return track(rank, Request(event, is_done=True, buffers=used))

    return call


def _transfer(rank: Rank, file: File, name: str, arguments: Arguments) -> None:
    """The effect on the buffer: what is read is unknown, and may be equal on all ranks."""
    array = buffer(arguments.get(int("_at" in name), "buf")).array
    if array is None:
        return
    if "read" in name.lower():
        if not name.startswith("I"):
            buffers.write(rank, array)
        file.reads += 1
        arrays.fill(rank, array, None, rank.symbol("file data", file, name, file.reads))
    else:
        buffers.read(rank, (array,))


_TOGETHER = (
    "Close", "Read_all", "Write_all", "Read_at_all", "Write_at_all", "Read_ordered", "Write_ordered", "Set_view",
    "Set_size", "Preallocate", "Set_atomicity", "Sync", "Seek_shared", "Set_info", "Read_all_begin", "Read_all_end",
    "Write_all_begin", "Write_all_end",
)  # fmt: skip
_ALONE = ("Read", "Write", "Read_at", "Write_at", "Read_shared", "Write_shared", "Seek")
_STARTS = ("Iread", "Iwrite", "Iread_at", "Iwrite_at", "Iread_shared", "Iwrite_shared")

METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "mpi file": {
        **{name: _together(name) for name in _TOGETHER},
        **{name: _alone(name) for name in (*_ALONE, *_STARTS)},
        "Get_group": lambda rank, file, arguments: Group(file.communicator.members or ()),
        "Get_size": lambda rank, file, arguments: rank.symbol("file size", file, file.reads, kind="int"),
        "Get_position": lambda rank, file, arguments: rank.own("files", "position", kind="int"),
    },
}
FUNCTIONS: dict[str, Handler] = {"mpi4py.MPI.File.Open": _open}
