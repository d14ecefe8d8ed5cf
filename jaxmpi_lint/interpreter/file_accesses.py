"""Accesses to files by the ranks of a world, with what each rank knows of those of the others.

Each rank has a vector clock (Fidge 1988, Mattern 1989): two accesses are ordered if the later rank has learnt of the
earlier access by a message or a collective. A collective counts as if all ranks learnt everything.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis.cfg.exclusive_files import separates, suppressions
from jaxmpi_lint.analysis.cfg.retry_loops import waits_for_file
from jaxmpi_lint.interpreter.events import Event
from jaxmpi_lint.interpreter.path_parts import is_of_process, made_in
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library, Method, Value
from jaxmpi_lint.library.python.file_operations import (
    LOCKED,
    MAKES_PARENTS,
    OPENINGS,
    OPERATIONS,
    PARALLEL,
    PARENTS,
    PATH_METHODS,
    SELF,
    STORING,
    TOGETHER,
    TOLERANT,
    TOLERANT_BY_DEFAULT,
    UNLOCKED,
    Effect,
    FileOperation,
    Opening,
    effect_of_mode,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.models import Arguments

MAX_ACCESSES = 400
"""Accesses of one world that are compared."""

_DEVICES = "/dev/"
_MAY_MAKE = tuple(
    "subprocess. os.system os.popen logging.FileHandler logging.handlers logging.basicConfig shutil.unpack_archive"
    " shutil.make_archive".split()
)
_LOCKING = frozenset({"fcntl.flock", "fcntl.lockf", "msvcrt.locking"})
_CHANGES_FOLDER = frozenset({"os.chdir", "os.fchdir", "contextlib.chdir"})
_ASKS = frozenset(
    "os.path.exists os.path.isfile os.path.isdir os.path.lexists os.path.getsize exists is_file is_dir".split()
)
_ORDERING = re.compile(r"barrier|sync|wait|bcast|broadcast|gather|reduce|comm|mpi|join|lock", re.IGNORECASE)


_OF_SYSTEM = ("os.", "sys.", "gc.", "time.")
"""Functions that know nothing of other ranks: ``os.fsync``."""


@dataclass(slots=True, eq=False)
class FileAccess(Event):
    """One access: ``path`` is a text or a symbol, ``clock`` that of the rank after it.

    ``tolerant``: it accepts that another rank was faster, by a keyword or by a handler that may catch the error.
    ``waiting``: it is repeated until the file is there. ``with_parents``: it also makes the folders above.
    """

    rank: int
    effect: Effect
    path: Value
    clock: tuple[int, ...]
    tolerant: bool
    waiting: bool = False
    with_parents: bool = False


class Accesses:
    """The accesses of one world and the clocks of its ranks.

    ``is_unknown``: something unknown may order ranks, or relative paths may differ. ``asked``: each rank with the paths
    whose existence it has tested, perhaps to wait for the file. ``named`` are the accesses to paths that hold a value
    of one process, ``opened`` those of the calls by which several ranks open one file together, ``handed`` the values
    of one process that unknown calls of a rank get, ``filled`` the files to which a rank writes by their handles,
    ``parts`` the parts that ranks write of the files that they open together (`file_parts.FilePart`), ``sought`` the
    tests for files that only another rank has made, with how it made them.
    """

    def __init__(self, size: int) -> None:
        self.made: list[FileAccess] = []
        self.named: list[FileAccess] = []
        self.opened: list[tuple[FileAccess, tuple[int, ...]]] = []
        self.parts: list[Any] = []
        self.handed: set[tuple[int, Symbol]] = set()
        self.filled: set[tuple[int, Symbol]] = set()
        self.sought: list[tuple[FileAccess, FileAccess]] = []
        self.is_unknown = False
        self.asked: set[tuple[int, object]] = set()
        self._clocks = [[0] * size for _ in range(size)]

    def add(
        self, rank: Rank, label: str, effect: Effect, path: Value, tolerant: bool, with_parents: bool = False
    ) -> None:
        """An access of a rank, which has just begun."""
        text = _normal(path)
        if not isinstance(text, (str, Symbol)) or (isinstance(text, str) and text.startswith(_DEVICES)):
            return
        if (isinstance(text, Symbol) and text.is_guess) or (isinstance(text, str) and "*" in text):
            return
        if isinstance(text, Symbol) and is_of_process(text):
            return
        access = self.access(rank, label, effect, text, tolerant)
        self.is_unknown |= access.tolerant and _separates(rank, effect)
        access.with_parents = with_parents
        (self.named if isinstance(text, Symbol) and text.own else self.made).append(access)
        rank.world.processes[rank.number].log.append(access)

    @property
    def all(self) -> list[FileAccess]:
        """The accesses to all paths."""
        return [*self.made, *self.named]

    def access(self, rank: Rank, label: str, effect: Effect, path: Value, tolerant: bool) -> FileAccess:
        """An access at the place of the current call."""
        clock = self.tick(rank.number)
        place = rank.place(rank.state["span"])
        caught = _is_caught(rank)
        return FileAccess(
            place, label, rank.number, effect, path, clock, tolerant or caught, caught and _is_waiting(rank)
        )

    def tick(self, number: int) -> tuple[int, ...]:
        """The clock of a rank after another access."""
        self._clocks[number][number] += 1
        return self.clock(number)

    def clock(self, number: int) -> tuple[int, ...]:
        """What a rank knows of the others."""
        return tuple(self._clocks[number])

    def is_made(self, number: int, path: Value, makings: Iterable[Effect]) -> bool:
        """Whether a file or folder is there: a rank has made it, the given rank knows of it, and none removes it."""
        text = _normal(path)
        about = [one for one in self.made if one.path == text]
        if self.is_unknown or any(one.effect is Effect.REMOVES for one in about):
            return False
        if any(one.effect is Effect.REMOVES and is_below(text, one.path) for one in self.made):
            return False
        clock = self._clocks[number]
        return any(one.effect in makings and clock[one.rank] >= one.clock[one.rank] for one in about)

    def learn(self, number: int, clock: Iterable[int]) -> None:
        """A rank learns what another one knew."""
        self._clocks[number] = [max(pair) for pair in zip(self._clocks[number], clock, strict=True)]

    def meet(self, numbers: Iterable[int]) -> None:
        """Ranks are in one collective."""
        members = list(numbers)
        together = [max(column) for column in zip(*(self._clocks[number] for number in members), strict=True)]
        for number in members:
            self._clocks[number] = list(together)


def _normal(path: Value) -> Any:
    return posixpath.normpath(path) if isinstance(path, str) else path if isinstance(path, Symbol) else None


def _is_caught(rank: Rank) -> bool:
    """Whether a handler may catch the error of the current call; after a ``finally`` the error goes on."""
    if any(frame.prepared.handlers.get(entry) for frame in rank.frames for entry in _entries(frame)):
        return True
    return bool(rank.frames) and any(suppressions(rank.frames[-1].function, rank.state["span"]))


def _entries(frame: Frame) -> Iterable[int]:
    return frame.function.blocks[frame.block].handlers


def _separates(rank: Rank, effect: Effect) -> bool:
    """Whether only one of the ranks can make a file, and then goes on in a way that the others do not."""
    is_made = effect in (Effect.MAKES, Effect.WRITES) and bool(rank.frames)
    return is_made and separates(rank.frames[-1].function, rank.state["span"])


def _is_waiting(rank: Rank) -> bool:
    """Whether the current call is repeated, with the same arguments, until the file is there."""
    frame = rank.frames[-1]
    call = next((one for one in frame.function.calls() if one.span == rank.state["span"]), None)
    return call is not None and waits_for_file(frame.function, frame.block, call)


def note(rank: Rank, function: Value, arguments: Arguments) -> None:
    """Record what a call does with files."""
    if isinstance(function, Library):
        name, holder = rank.canonical(function.dotted), None
        opening, operations = OPENINGS.get(name), OPERATIONS.get(name, ())
    elif isinstance(function, Method):
        name, holder = function.name, function.receiver
        is_path = _is_path(holder)
        opening = Opening((SELF, ""), (0, "mode")) if is_path and name == "open" else None
        operations = PATH_METHODS.get(name, ()) if is_path else STORING.get(name, ())
    else:
        return
    if name in _ASKS:
        asked = _text(arguments.get(0) if isinstance(function, Library) else holder)
        rank.world.accesses.asked.add((rank.number, _normal(asked)))
    rank.world.accesses.is_unknown |= name in _CHANGES_FOLDER or _locks(name, arguments)
    if name.startswith(_MAY_MAKE):
        _hand(rank, arguments.every())
    for value in (holder, *arguments.every()):
        if _is_written(value):
            rank.world.accesses.filled.add((rank.number, value.path))
    if opening is None and not operations and name not in TOGETHER:
        return
    if name in TOGETHER or _is_together(arguments):
        _note_together(rank, name, opening or TOGETHER.get(name), arguments)
        return
    if opening is not None:
        operations = _opened(opening, arguments)
    label = name.removeprefix("builtins.")
    tolerant = name in TOLERANT_BY_DEFAULT or any(arguments.keywords.get(k) is v for k, v in TOLERANT.items())
    tolerant = tolerant or (name in LOCKED and not UNLOCKED.isdisjoint(arguments.keywords))
    with_parents = name.rpartition(".")[2] in MAKES_PARENTS or arguments.keywords.get(PARENTS) is True
    for operation in operations:
        path = holder if operation.position == SELF else arguments.get(operation.position, operation.keyword)
        text = _text(path)
        if isinstance(text, str) and operation.suffix and not text.endswith(operation.suffix):
            text += operation.suffix
        rank.world.accesses.add(rank, label, operation.effect, text, tolerant, with_parents)


def _locks(name: str, arguments: Arguments) -> bool:
    """Whether a call may let the ranks use a file one after the other."""
    if name != "os.open":
        return name in _LOCKING
    values = (one for one in arguments.every() if isinstance(one, Symbol | Library))
    words = {word for one in values for word in ([one.dotted] if isinstance(one, Library) else one.words())}
    return any(word.endswith("O_EXCL") for word in words)


def _is_together(arguments: Arguments) -> bool:
    together = any(value == "mpio" or hasattr(value, "members") for value in arguments.values)
    return together or bool(PARALLEL & arguments.keywords.keys())


def _note_together(rank: Rank, name: str, opening: Opening | None, arguments: Arguments) -> None:
    """Record that several ranks open a file together, if it is known which."""
    members = next((value.members for value in arguments.every() if getattr(value, "members", None)), None)
    path = _normal(_text(arguments.get(*opening.path))) if opening is not None else None
    if members is not None and path is not None and not (isinstance(path, Symbol) and path.is_guess):
        label = name.removeprefix("mpi4py.MPI.")
        rank.world.accesses.opened.append(
            (rank.world.accesses.access(rank, label, Effect.OPENS, path, tolerant=False), members)
        )


def _text(value: Value) -> Value:
    return value.text if value is not None and _is_path(value) else value


def _is_path(value: Value) -> bool:
    return getattr(value, "type_name", "") == "path"


def _opened(opening: Opening, arguments: Arguments) -> tuple[FileOperation, ...]:
    mode = arguments.get(*opening.mode, opening.default)
    return (FileOperation(effect_of_mode(mode), *opening.path),) if isinstance(mode, str) else ()


def _is_written(value: Value) -> bool:
    """Whether a value is a file that is open for writing: what gets it may write to the file."""
    if getattr(value, "type_name", "") != "file" or not isinstance(value.path, Symbol):
        return False
    return isinstance(value.mode, str) and bool(set(value.mode) & set("wax+"))


def note_unknown(rank: Rank, function: Value, values: Iterable[Value]) -> None:
    """A call without a model may order the ranks, judging by its name, and may make files at the paths that it gets."""
    name = rank.program.name_of(function)
    if (_ORDERING.search(name) and not name.startswith(_OF_SYSTEM)) or _may_be_of_project(rank, function):
        rank.world.accesses.is_unknown = True
    if not _is_operation(rank, function):
        _hand(rank, values)


def _may_be_of_project(rank: Rank, function: Value) -> bool:
    """Whether a method of an unknown object has the name of a method of the project that communicates."""
    if not isinstance(function, Method) or not isinstance(function.receiver, Symbol):
        return False
    return bool(rank.program.is_communicating_method(function.name, rank.frames[-1].scope.module.ir))


def _is_operation(rank: Rank, function: Value) -> bool:
    if isinstance(function, Library):
        name = rank.canonical(function.dotted)
        return name in OPENINGS or name in OPERATIONS
    return isinstance(function, Method) and function.name in STORING


def _hand(rank: Rank, values: Iterable[Value]) -> None:
    rank.world.accesses.handed |= {(rank.number, symbol) for value in values for symbol in made_in(freeze(value))}


def is_below(path: Value, folder: Value) -> bool:
    """Whether a path lies below a folder."""
    if isinstance(path, str):
        return isinstance(folder, str) and path.startswith(f"{folder}/")
    if not isinstance(path, Symbol) or path.key[0] != ("str", "call") or len(path.key) < 3:
        return False
    base = path.key[2]
    return base is folder if isinstance(folder, Symbol) else base == ("str", folder)
