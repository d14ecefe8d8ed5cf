"""Methods of texts and containers that are not known, and `string`, `textwrap`; checksums of known bytes."""

from __future__ import annotations

import bisect
import re
import string
import zlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.libraries.handlers import computed, itself, pure
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Method, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_TEXT_KINDS = {
    "bool": "startswith endswith isdigit isalpha isnumeric isspace isupper islower isalnum",
    "list": "split rsplit splitlines",
    "int": "find rfind index count",
    "str": "strip lstrip rstrip lower upper title replace zfill rjust ljust center capitalize format removeprefix "
    "removesuffix decode expandtabs casefold swapcase translate hex",
    "bytes": "encode",
    "tuple": "partition rpartition",
}


def _of(name: str, kind: str) -> Callable[..., Any]:
    """A method that only computes."""

    def call(rank: Rank, receiver: Symbol, arguments: Arguments) -> Value:
        return rank.symbol("call", Method(receiver, name), *arguments.values, dict(arguments.keywords), kind=kind)

    return call


def _join(rank: Rank, text: Symbol, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    return rank.symbol("joined", text, *items, kind="str")


_TEXT: dict[str, Callable[..., Any]] = {
    **{name: _of(name, kind) for kind, names in _TEXT_KINDS.items() for name in names.split()},
    "join": _join,
}
_DICT: dict[str, Callable[..., Any]] = {name: _of(name, "list") for name in ("keys", "values", "items")}

METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "unknown str": _TEXT,
    "unknown bytes": _TEXT,
    "unknown dict": _DICT,
    **{f"unknown {kind}": {"item": itself, "conjugate": itself} for kind in ("int", "float", "bool")},
}
_ALPHABETS = (
    "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace".split()
)
CONSTANTS: dict[str, Callable[[Any], Value]] = {
    f"string.{name}": partial(lambda text, _: text, getattr(string, name)) for name in _ALPHABETS
}


def _format(rank: Rank, arguments: Arguments) -> Value:
    """``format(value, specification)``, unless the specification asks for a long text."""
    values = arguments.every()
    is_short = not any(part.isdigit() and len(part) > 2 for part in re.split(r"(\d+)", str(arguments.get(1, "", ""))))
    return computed("builtins.format", format if is_short else _unknown, "str")(rank, Arguments(tuple(values), {}))


def _unknown(*values: object) -> str:
    raise ValueError(values)


FUNCTIONS: dict[str, Any] = {
    "builtins.format": _format,
    **{f"zlib.{name}": computed(f"zlib.{name}", getattr(zlib, name), "int") for name in ("crc32", "adler32")},
    "binascii.crc32": computed("binascii.crc32", zlib.crc32, "int"),
    **{
        f"bisect.{name}": computed(f"bisect.{name}", getattr(bisect, name), "int")
        for name in ("bisect", "bisect_left", "bisect_right")
    },
    "re.escape": pure("re.escape", "str"),
    "textwrap.dedent": pure("textwrap.dedent", "str"),
    "string.Template": pure("string.Template", "template"),
    "logging.getLevelName": pure("logging.getLevelName"),
    "traceback.format_exc": pure("traceback.format_exc", "str"),
    "traceback.format_exception": pure("traceback.format_exception", "list"),
    "pprint.pformat": pure("pprint.pformat", "str"),
}
PURE = ("re", "string", "textwrap", "unicodedata", "shlex", "difflib", "urllib.parse", "html", "keyword")
