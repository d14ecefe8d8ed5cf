"""Files and what is read from them: symbols by path, equal on processes that read the same one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import array_changes, container_items
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.handlers import ignored, ignored_method, silent
from jaxmpi_lint.interpreter.libraries.paths import PathValue, about, text_of
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Method, Value
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class FileValue(Modelled):
    """An open file; ``reads`` counts what was read, so that each reading gives a new value.

    ``made_at`` is where a temporary file is made that is removed when it is closed.
    """

    __slots__ = ("made_at", "mode", "path", "reads")
    type_name = "file"

    def __init__(self, path: Value, mode: Value, made_at: ir.Span | None = None) -> None:
        self.path = path
        self.mode = mode
        self.made_at = made_at
        self.reads = 0

    def freeze(self, depth: int) -> object:
        """The path and how much was read."""
        return "file", freeze(self.path, depth), self.reads

    def attribute(self, rank: Rank, name: str) -> Value:
        """Name and mode, or a method."""
        if name in ("name", "mode"):
            return self.path if name == "name" else self.mode
        if name in ("closed", "encoding", "buffer"):
            return rank.symbol("file", name, self.path)
        return Method(self, name)

    @property
    def kind(self) -> str:
        """The kind of what is read."""
        return "bytes" if isinstance(self.mode, str) and "b" in self.mode else "str"

    def read(self, rank: Rank, what: str, kind: str = "") -> Value:
        """What is read next."""
        self.reads += 1
        return about(rank, what, self.path, kind, self.reads)

    def items_for(self, rank: Rank) -> list[Value]:
        """The lines."""
        lines = about(rank, "lines", self.path, "lines", self.reads)
        self.reads += 1
        assert isinstance(lines, Symbol)
        found = range(len(container_items.guess(rank, lines)))
        return GuessedList(rank.symbol("item", lines, index, kind=self.kind) for index in found)


def _open(rank: Rank, arguments: Arguments) -> Value:
    return FileValue(text_of(arguments.get(0, "file")), arguments.get(1, "mode", "r"))


def _open_path(rank: Rank, path: PathValue, arguments: Arguments) -> Value:
    return FileValue(path.text, arguments.get(0, "mode", "r"))


def _temporary(rank: Rank, arguments: Arguments) -> Value:
    path = rank.own("files", "tempfile.NamedTemporaryFile", kind="str")
    stays = arguments.keywords.get("delete", True) is not True or "delete_on_close" in arguments.keywords
    return FileValue(path, "w+b", None if stays else rank.state["span"])


class TemporaryFolder(Modelled):
    """`tempfile.TemporaryDirectory`, which is removed at the end of its block."""

    __slots__ = ("made_at", "path")
    type_name = "temporary folder"

    def __init__(self, path: Value, made_at: ir.Span) -> None:
        self.path = path
        self.made_at = made_at

    def freeze(self, depth: int) -> object:
        """The path."""
        return "folder", freeze(self.path, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """The name, or a method."""
        return self.path if name == "name" else Method(self, name)


def _temporary_folder(rank: Rank, arguments: Arguments) -> Value:
    return TemporaryFolder(rank.own("files", "tempfile.TemporaryDirectory", kind="str"), rank.state["span"])


def _reading(what: str, kind: str = "") -> Callable[..., Any]:
    return lambda rank, file, arguments: file.read(rank, what, kind or file.kind)


def _read_into(rank: Rank, file: FileValue, arguments: Arguments) -> Value:
    target = arguments.get(0)
    if isinstance(target, Array):
        array_changes.fill(rank, target, None, file.read(rank, "content"))
    return rank.symbol("length", file, kind="int")


def _loading(what: str) -> Handler:
    """A function that reads a value from a file, or from a text."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        source = arguments.get(0)
        if isinstance(source, FileValue):
            return source.read(rank, what)
        return rank.symbol("loaded", what, source)

    return call


def _close(rank: Rank, file: FileValue | TemporaryFolder, *_: Any) -> None:
    """The end of a block, or of the use of a file: what is temporary is removed."""
    if file.made_at is not None:
        rank.state["span"], here = file.made_at, rank.state["span"]
        rank.world.accesses.add(rank, "the end of its block", Effect.REMOVES, file.path, tolerant=False)
        rank.state["span"] = here


def _reader(rank: Rank, arguments: Arguments) -> Value:
    return _loading("rows")(rank, arguments)


FUNCTIONS: dict[str, Any] = {
    **dict.fromkeys(("builtins.open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"), _open),
    **{f"tempfile.{name}": _temporary for name in ("NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile")},
    "tempfile.TemporaryDirectory": _temporary_folder,
    "json.load": _loading("json"),
    "pickle.load": _loading("pickle"),
    "dill.load": _loading("pickle"),
    "marshal.load": _loading("marshal"),
    "tomllib.load": _loading("toml"),
    "toml.load": _loading("toml"),
    **{f"yaml.{name}": _loading("yaml") for name in ("load", "safe_load", "full_load", "unsafe_load")},
    "csv.reader": _reader,
    "csv.DictReader": _reader,
    "csv.writer": silent("csv writer"),
    "csv.DictWriter": silent("csv writer"),
    **dict.fromkeys(("json.dump", "pickle.dump", "dill.dump", "yaml.dump", "yaml.safe_dump", "toml.dump"), ignored),
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "file": {
        "read": _reading("content"),
        "readinto": _read_into,
        "readline": _reading("line"),
        "readlines": _reading("lines", "list"),
        "tell": _reading("position", "int"),
        "fileno": _reading("number", "int"),
        "readable": _reading("readable", "bool"),
        "getvalue": _reading("content"),
        "__enter__": lambda rank, file: file,
        "__exit__": _close,
        "close": _close,
        **dict.fromkeys(("write", "writelines", "flush", "seek", "truncate"), ignored_method),
    },
    "path": {"open": _open_path},
    "temporary folder": {
        "__enter__": lambda rank, folder: folder.path,
        "__exit__": _close,
        "cleanup": _close,
    },
}
PURE = ("csv", "io", "struct", "zlib", "base64", "tarfile", "zipfile")
