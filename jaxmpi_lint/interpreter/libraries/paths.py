"""`os.path`, `pathlib`, `glob`, `shutil`, `tempfile`: names of files, and what is there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import container_items, operations, variations
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.handlers import computed, ignored, ignored_method, own, pure
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.sought_paths import is_absent
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library, Method, Value
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_LOCAL = ("/tmp/", "/var/tmp/", "/dev/shm/")


class PathValue(Modelled):
    """A `pathlib.Path`: ``text`` is a text or a symbol."""

    __slots__ = ("text",)
    type_name = "path"

    def __init__(self, text: Value) -> None:
        self.text = text

    def freeze(self, depth: int) -> object:
        """The text."""
        return "path", freeze(self.text, depth)

    def as_text(self) -> Value:
        """``str(path)``."""
        return self.text

    def attribute(self, rank: Rank, name: str) -> Value:
        """Parts of the name, or a method."""
        if name in ("parent", "name", "stem", "suffix", "suffixes", "parts", "anchor", "drive", "root", "parents"):
            if not isinstance(self.text, str):
                symbol = rank.symbol("path part", self.text, name, kind="" if name == "parent" else "str")
                return PathValue(symbol) if name == "parent" else symbol
            found = getattr(PurePosixPath(self.text), name)
            if name == "parents":
                return [PathValue(str(one)) for one in found]
            return PathValue(str(found)) if name == "parent" else found
        return Method(self, name)

    def operate(self, rank: Rank, operator: str, other: Value, is_left: bool) -> Value:
        """``path / name`` and comparisons."""
        theirs = text_of(other)
        if operator == "/":
            return PathValue(join(rank, self.text, theirs) if is_left else join(rank, theirs, self.text))
        if operator in ("==", "!=") and not isinstance(other, PathValue) and operations.is_plain(other):
            return operator == "!="
        return operations.binary(rank, operator, *((self.text, theirs) if is_left else (theirs, self.text)))


def text_of(value: Value) -> Value:
    """A path as text."""
    return value.text if isinstance(value, PathValue) else value


def join(rank: Rank, *parts: Value) -> Value:
    """The path of several parts."""
    if all(isinstance(part, str) for part in parts):
        return posixpath.join(*parts)
    return rank.symbol("call", Library("os.path.join"), *parts, kind="str")


def is_local(path: Value) -> bool:
    """Whether a path lies in a folder that each node has for itself."""
    return isinstance(path, str) and path.startswith(_LOCAL)


_MADE_BY: dict[str, tuple[Effect, ...]] = {
    "exists": (Effect.WRITES, Effect.MAKES),
    "isfile": (Effect.WRITES,),
    "isdir": (Effect.MAKES,),
}


def about(rank: Rank, question: str, path: Value, kind: str = "", *more: Value) -> Value:
    """What there is at a path: equal on all processes that name the same one, unless it is local to a node."""
    text = text_of(path)
    if is_local(text):
        return rank.symbol("own", "files", rank.number, question, text, *more, own=("files",), kind=kind)
    if rank.world.accesses.is_made(rank.number, text, _MADE_BY.get(question, ())):
        return True
    if question in _MADE_BY and is_absent(rank, text):
        return False
    return rank.symbol("file", question, text, *more, kind=kind)


class Listing(Modelled):
    """The files of a folder: equal on all processes, in an order that may differ until they are sorted."""

    __slots__ = ("files", "is_sorted")
    type_name = "listing"

    def __init__(self, files: Symbol) -> None:
        self.files = files
        self.is_sorted = False

    def freeze(self, depth: int) -> object:
        """The files, without their order."""
        return "listing", freeze(self.files, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods of lists."""
        return Method(self, name)

    def truth(self, rank: Rank) -> bool:
        """Whether there is any file."""
        return rank.truth(self.files)

    def item(self, rank: Rank, index: Value) -> Value:
        """A file by position."""
        if self.is_sorted:
            return rank.symbol("item", self.files, index)
        return rank.symbol("item", self.files, index, "order", rank.number, own=("files",))

    def items_for(self, rank: Rank) -> list[Value]:
        """All files."""
        found = GuessedList(container_items.guess(rank, self.files))
        if len(found) > 1 and not self.is_sorted and variations.is_reversed(rank, "files", self.files):
            found.reverse()
        return found


def _sort(rank: Rank, listing: Listing, arguments: Arguments) -> Value:
    listing.is_sorted = True


def _listed(question: str) -> Handler:
    """A function that lists a folder."""
    handler = asked(question)
    return lambda rank, arguments: Listing(handler(rank, arguments))


def _listed_of_path(question: str) -> Callable[..., Any]:
    return lambda rank, path, arguments: Listing(about(rank, question, path, "", *arguments.every()))


def asked(question: str, kind: str = "", default: str = ".") -> Handler:
    """A function that looks at a path."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        path = arguments.get(0, "path", default)
        return about(rank, question, path, kind, *arguments.every()[1:])

    return call


def _asked_of_path(question: str, kind: str = "") -> Callable[..., Any]:
    return lambda rank, path, arguments: about(rank, question, path, kind, *arguments.every())


def _join(rank: Rank, arguments: Arguments) -> Value:
    parts = [text_of(part) for part in arguments.values]
    if not parts or any(part is None or isinstance(part, (int, float, list)) for part in parts):
        raise fail("TypeError")
    return join(rank, *parts)


def _of_text(name: str, kind: str = "str") -> Handler:
    handler = computed(f"os.path.{name}", getattr(posixpath, name), kind)
    return lambda rank, arguments: handler(
        rank, Arguments(tuple(text_of(one) for one in arguments.values), arguments.keywords)
    )


def _make_path(rank: Rank, arguments: Arguments) -> Value:
    parts = [text_of(part) for part in arguments.values]
    return PathValue(join(rank, *parts) if len(parts) > 1 else parts[0] if parts else ".")


def _join_path(rank: Rank, path: PathValue, arguments: Arguments) -> Value:
    return PathValue(join(rank, path.text, *(text_of(part) for part in arguments.values)))


def _changed(name: str) -> Callable[..., Any]:
    """A method of a pure path whose result is a path."""

    def call(rank: Rank, path: PathValue, arguments: Arguments) -> Value:
        values = [text_of(value) for value in arguments.values]
        if isinstance(path.text, str) and all(isinstance(value, str) for value in values):
            try:
                return PathValue(str(getattr(PurePosixPath(path.text), name)(*values)))
            except (ValueError, TypeError) as error:
                raise fail(type(error).__name__) from None
        return PathValue(rank.symbol("path part", path.text, name, *values, kind="str"))

    return call


def _resolved(rank: Rank, path: PathValue, arguments: Arguments) -> Value:
    return PathValue(rank.symbol("path part", path.text, "resolve", kind="str"))


def _fs_path(rank: Rank, arguments: Arguments) -> Value:
    return text_of(arguments.get(0))


_NOTHING = (
    "os.makedirs os.mkdir os.remove os.unlink os.rmdir os.removedirs os.rename os.replace os.chdir os.chmod os.symlink "
    "os.link os.utime os.close os.write os.truncate shutil.rmtree shutil.copy shutil.copy2 shutil.copyfile "
    "shutil.copytree shutil.move shutil.copyfileobj shutil.copymode"
).split()

FUNCTIONS: dict[str, Any] = {
    **dict.fromkeys(_NOTHING, ignored),
    "os.path.join": _join,
    **{f"os.path.{name}": _of_text(name) for name in ("basename", "dirname", "normpath", "commonprefix", "normcase")},
    "os.path.split": _of_text("split", ""),
    "os.path.splitext": _of_text("splitext", ""),
    "os.path.isabs": _of_text("isabs", "bool"),
    **{
        f"os.path.{name}": asked(name, "bool") for name in ("exists", "isfile", "isdir", "islink", "lexists", "ismount")
    },
    "tensorflow.io.gfile.exists": asked("exists", "bool"),
    "tensorflow.io.gfile.isdir": asked("isdir", "bool"),
    "os.path.getsize": asked("getsize", "int"),
    **{f"os.path.{name}": asked(name, "float") for name in ("getmtime", "getctime", "getatime")},
    "os.access": asked("access", "bool"),
    "os.stat": asked("stat"),
    "os.lstat": asked("stat"),
    "os.listdir": _listed("listdir"),
    "os.scandir": _listed("scandir"),
    "os.walk": _listed("walk"),
    "os.fspath": _fs_path,
    "glob.glob": _listed("glob"),
    "glob.iglob": _listed("glob"),
    **{f"pathlib.{name}": _make_path for name in ("Path", "PurePath", "PosixPath", "PurePosixPath")},
    "pathlib.Path.cwd": lambda rank, arguments: PathValue(rank.symbol("call", "os.getcwd", kind="str")),
    "pathlib.Path.home": lambda rank, arguments: PathValue(rank.symbol("call", "home", kind="str")),
    "tempfile.mkdtemp": own("files", "tempfile.mkdtemp", "str"),
    "tempfile.mktemp": own("files", "tempfile.mktemp", "str"),
    "tempfile.mkstemp": lambda rank, arguments: (
        rank.own("files", "tempfile.mkstemp", kind="int"), rank.own("files", "tempfile.mkstemp", kind="str")
    ),
    "tempfile.gettempdir": pure("tempfile.gettempdir", "str"),
}  # fmt: skip
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "listing": {"sort": _sort, "__len__": lambda rank, listing, arguments: rank.symbol("length", listing.files)},
    "path": {
        "joinpath": _join_path,
        **{name: _changed(name) for name in ("with_suffix", "with_name", "with_stem", "relative_to")},
        **dict.fromkeys(("resolve", "absolute", "expanduser", "readlink"), _resolved),
        "exists": _asked_of_path("exists", "bool"),
        "is_file": _asked_of_path("isfile", "bool"),
        "is_dir": _asked_of_path("isdir", "bool"),
        "is_symlink": _asked_of_path("islink", "bool"),
        "is_absolute": lambda rank, path, arguments: (
            path.text.startswith("/") if isinstance(path.text, str) else rank.symbol("isabs", path, kind="bool")
        ),
        "stat": _asked_of_path("stat"),
        "iterdir": _listed_of_path("listdir"),
        "glob": _listed_of_path("glob"),
        "rglob": _listed_of_path("rglob"),
        "read_text": _asked_of_path("content", "str"),
        "read_bytes": _asked_of_path("content", "bytes"),
        "as_posix": lambda rank, path, arguments: path.text,
        "__str__": lambda rank, path, arguments: path.text,
        "__fspath__": lambda rank, path, arguments: path.text,
        **dict.fromkeys(
            "mkdir unlink touch rename replace rmdir write_text write_bytes chmod symlink_to".split(), ignored_method
        ),
    },
}
PURE = ("os.path", "fnmatch", "pathlib", "stat", "shutil")
