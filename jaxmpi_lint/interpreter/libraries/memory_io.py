"""Methods of files in memory: `io.StringIO` and `io.BytesIO`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.libraries.handlers import ignored_method
from jaxmpi_lint.interpreter.memory_files import MemoryFile
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.values import Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _make(empty: str | bytes) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        given = arguments.get(0, "initial_value", arguments.keywords.get("initial_bytes"))
        file = MemoryFile(empty, () if given is None else (given,))
        file.is_given = given is not None
        return file

    return call


def _write(rank: Rank, file: MemoryFile, arguments: Arguments) -> Value:
    value = arguments.get(0)
    file.write(value)
    return len(value) if isinstance(value, (str, bytes)) else rank.symbol("length", value, kind="int")


def _write_lines(rank: Rank, file: MemoryFile, arguments: Arguments) -> Running:
    for one in (yield from elements(rank, arguments.get(0))):
        file.write(one)


def _truncate(rank: Rank, file: MemoryFile, arguments: Arguments) -> Value:
    if arguments.get(0, "size") == 0:
        file.parts, file.is_moved = (), False
    else:
        file.is_moved = True
    return arguments.get(0, "size")


def _seek(rank: Rank, file: MemoryFile, arguments: Arguments) -> Value:
    """To the begin, from where all is read; what is written from another position replaces something."""
    file.reads = 0
    file.is_moved |= arguments.get(0) != 0 and bool(file.parts)
    return rank.symbol("position", file, kind="int") if arguments.has(1, "whence") else arguments.get(0)


def _read(rank: Rank, file: MemoryFile, arguments: Arguments) -> Value:
    if file.reads or file.is_moved or arguments.every():
        return file.read(rank, "content")
    file.reads = 1
    return file.content(rank)


def _reading(what: str, kind: str = "") -> Callable[..., Any]:
    return lambda rank, file, arguments: file.read(rank, what, kind)


FUNCTIONS: dict[str, Any] = {"io.StringIO": _make(""), "io.BytesIO": _make(b"")}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "memory file": {
        "write": _write,
        "writelines": _write_lines,
        "getvalue": lambda rank, file, arguments: file.content(rank),
        "getbuffer": lambda rank, file, arguments: file.content(rank),
        "read": _read,
        "readline": _reading("line"),
        "readlines": _reading("lines", "list"),
        "tell": _reading("position", "int"),
        "seek": _seek,
        "truncate": _truncate,
        "__enter__": lambda rank, file: file,
        "__exit__": lambda rank, file: None,
        **dict.fromkeys(("close", "flush"), ignored_method),
    },
}
