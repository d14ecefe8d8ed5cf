"""Files of MPI: the calls that all ranks make together, and the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, buffers
from jaxmpi_lint.interpreter.communicators import Communicator, Group, Request
from jaxmpi_lint.interpreter.dtypes import SIZES
from jaxmpi_lint.interpreter.events import Access, Collective
from jaxmpi_lint.interpreter.file_parts import FilePart
from jaxmpi_lint.interpreter.libraries.mpi_arguments import DATATYPES, buffer
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.own_lengths import selected_by
from jaxmpi_lint.interpreter.requests import track
from jaxmpi_lint.interpreter.symbols import MAX_DEPTH, Symbol, freeze
from jaxmpi_lint.interpreter.values import Cut, Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


@dataclass(frozen=True, slots=True)
class View:
    """Where a rank sees a file begin, in bytes, and the number of bytes by which offsets count."""

    start: Value
    unit: int


WHOLE = View(0, 1)
"""The file as it is, in bytes."""


@dataclass(slots=True, eq=False)
class File(Modelled):
    """`MPI.File`: ``communicator`` stands for the ranks that opened it.

    ``view`` is None if a rank sees parts of the file only, or it is not known which. ``position`` is that of the next
    access without an offset, in units of the view; None if it is not known.
    """

    communicator: Communicator
    path: Value = None
    reads: int = 0
    view: View | None = WHOLE
    position: int | None = 0
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
    event.extra["path"] = arguments.get(1, "filename")
    event.extra["appends"] = "MODE_APPEND" in repr(freeze(arguments.get(2, "amode")))
    return (yield from enter(rank, event))


def _opened(world: World, present: dict[int, Collective]) -> dict[int, Value]:
    members = tuple(present)
    found: dict[int, Value] = {}
    for number, event in present.items():
        identity = world.communicator(event.extra["slot"], "file")
        communicator = Communicator(identity, "the file", members, members.index(number))
        found[number] = File(communicator, event.extra["path"], position=None if event.extra["appends"] else 0)
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
        array = buffer(arguments.get(int("_at" in name), "buf")).used()
        used = [] if array is None else [(array, "read" in name)]
        return track(rank, Request(event, is_done=True, buffers=used))

    return call


def _transfer(rank: Rank, file: File, name: str, arguments: Arguments) -> None:
    """The effect on the buffer: what is read is unknown, and equal on ranks that read at the same place."""
    passed = arguments.get(int("_at" in name), "buf")
    count = None if passed is None else _bytes(passed)
    if "write" in name.lower() and "shared" not in name and "ordered" not in name:
        _note_part(rank, file, name, arguments, passed, count)
    symbol = _data(rank, file, name, arguments)
    if "_at" not in name and passed is not None:
        _advance(file, count)
    array = buffer(passed).array
    if array is None:
        return
    if "read" in name.lower():
        if not name.startswith("I"):
            buffers.write(rank, array)
        file.reads += 1
        array_changes.fill(rank, array, None, symbol)
    else:
        buffers.read(rank, (array,))


def _data(rank: Rank, file: File, name: str, arguments: Arguments) -> Symbol:
    """What is read from the file; the shared pointer is at a different place for each rank."""
    offset = arguments.get(0, "offset") if "_at" in name else file.position
    start = None if file.view is None else file.view.start
    if "shared" in name or "ordered" in name or start is None:
        return rank.symbol("file data", file, name, file.reads, rank.number, own=("received",))
    return rank.symbol("file data", file, name, file.reads, offset, start)


def _note_part(rank: Rank, file: File, name: str, arguments: Arguments, passed: Value, count: int | None) -> None:
    """Record a write of a part of the file, if it is known where it starts."""
    if passed is None or file.view is None or file.communicator.size is None or file.communicator.number is None:
        return
    offset = arguments.get(0, "offset") if "_at" in name else file.position
    if offset is None or isinstance(offset, bool) or not isinstance(offset, int | Symbol):
        return
    start = (
        rank.binary("+", file.view.start, rank.binary("*", offset, file.view.unit)) if file.view != WHOLE else offset
    )
    array = buffer(passed).array
    selection = selected_by(array.freeze(MAX_DEPTH)) if array is not None and array.shape is None else None
    cells = array.cells if array is not None else None
    content = tuple(cells) if cells is not None and all(isinstance(cell, (int, float)) for cell in cells) else None
    accesses = rank.world.accesses
    who = (rank.number, file.communicator.identity, file.path, file.communicator.number, file.communicator.size)
    place, clock = rank.place(rank.state["span"]), accesses.tick(rank.number)
    accesses.parts.append(FilePart(place, name, *who, start, count, selection, content, clock))


def _bytes(passed: Value) -> int | None:
    """The number of bytes of a buffer, None if it is not known."""
    if isinstance(passed, bytes):
        return len(passed)
    given = buffer(passed)
    if given.is_counted:
        return None if given.count is None or given.dtype is None else given.count * SIZES[given.dtype]
    array = given.array
    if array is None or array.is_guessed or array.size is None or array.dtype not in SIZES or not given.is_plain:
        return None
    return array.size * SIZES[array.dtype]


def _advance(file: File, count: int | None) -> None:
    """Move the position behind what an access without an offset takes or writes."""
    if file.position is None or count is None or file.view is None or count % file.view.unit:
        file.position = None
    else:
        file.position += count // file.view.unit


def _seek(rank: Rank, file: File, arguments: Arguments) -> Value:
    offset, whence = arguments.get(0, "offset"), arguments.get(1, "whence")
    is_set = whence is None or (isinstance(whence, Library) and whence.dotted.endswith("SEEK_SET"))
    file.position = offset if is_set and isinstance(offset, int) and not isinstance(offset, bool) else None
    return None


def _set_view(rank: Rank, file: File, arguments: Arguments) -> Running:
    """Another place and unit; elements of a derived type may leave gaps."""
    start, etype, filetype = arguments.get(0, "disp", 0), arguments.get(1, "etype"), arguments.get(2, "filetype")
    unit = 1 if etype is None else _unit(etype)
    is_dense = filetype is None or _unit(filetype) is not None
    file.view = View(start, unit) if unit is not None and is_dense and isinstance(start, int | Symbol) else None
    file.position = 0
    event = Collective(rank.place(rank.state["span"]), "Set_view", file.communicator, "File.Set_view")
    yield from enter(rank, event)


def _unit(datatype: Value) -> int | None:
    """The bytes of a datatype of MPI, None for another one."""
    name = datatype.dotted.rpartition(".")[2] if isinstance(datatype, Library) else ""
    return SIZES[DATATYPES[name]] if name in DATATYPES else None


_TOGETHER = (
    "Close", "Read_all", "Write_all", "Read_at_all", "Write_at_all", "Read_ordered", "Write_ordered",
    "Set_size", "Preallocate", "Set_atomicity", "Sync", "Seek_shared", "Set_info", "Read_all_begin", "Read_all_end",
    "Write_all_begin", "Write_all_end",
)  # fmt: skip
_ALONE = ("Read", "Write", "Read_at", "Write_at", "Read_shared", "Write_shared")
_STARTS = ("Iread", "Iwrite", "Iread_at", "Iwrite_at", "Iread_shared", "Iwrite_shared")

METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "mpi file": {
        **{name: _together(name) for name in _TOGETHER},
        **{name: _alone(name) for name in (*_ALONE, *_STARTS)},
        "Set_view": _set_view,
        "Seek": _seek,
        "Get_group": lambda rank, file, arguments: Group(file.communicator.members or ()),
        "Get_size": lambda rank, file, arguments: rank.symbol("file size", file, file.reads, kind="int"),
        "Get_position": lambda rank, file, arguments: rank.own("files", "position", kind="int"),
    },
}
FUNCTIONS: dict[str, Handler] = {"mpi4py.MPI.File.Open": _open}
