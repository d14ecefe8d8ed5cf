"""`json`, `pickle` of values, `configparser`, `hashlib`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.libraries.handlers import ignored_method
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _json_of_text(rank: Rank, arguments: Arguments) -> Value:
    text = arguments.get(0, "s")
    if isinstance(text, (str, bytes)) and len(text) <= operations.MAX_TEXT and not arguments.keywords:
        try:
            return json.loads(text)
        except ValueError:
            raise fail("json.JSONDecodeError") from None
        except RecursionError:
            return rank.symbol("loaded", "json", text)
    return rank.symbol("loaded", "json", text)


def _text_of_json(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0, "obj")
    if operations.is_plain(value) and not arguments.keywords:
        try:
            return json.dumps(value)
        except (TypeError, ValueError):
            pass
    return rank.symbol("json text", value, dict(arguments.keywords), kind="str")


class Pickled(Modelled):
    """The bytes of a pickled value."""

    __slots__ = ("value",)
    type_name = "pickled"

    def __init__(self, value: Value) -> None:
        self.value = value

    def freeze(self, depth: int) -> object:
        """The value."""
        return "pickled", freeze(self.value, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods of bytes."""
        return Method(self, name)


def _pickle(rank: Rank, arguments: Arguments) -> Value:
    return Pickled(copied(arguments.get(0)))


def _unpickle(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    return copied(value.value) if isinstance(value, Pickled) else rank.symbol("loaded", "pickle", value)


class Configuration(Modelled):
    """`configparser.ConfigParser`: its values are equal on all processes."""

    __slots__ = ("section", "sources")
    type_name = "configuration"

    def __init__(self, sources: tuple[Value, ...] = (), section: Value = None) -> None:
        self.sources = sources
        self.section = section

    def freeze(self, depth: int) -> object:
        """What was read."""
        return "configuration", freeze(self.sources, depth), freeze(self.section, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods only."""
        return Method(self, name)

    def item(self, rank: Rank, index: Value) -> Value:
        """A section, or an option of one."""
        if self.section is None:
            return Configuration(self.sources, index)
        return rank.symbol("option", self.sources, self.section, index, kind="str")


def _read(rank: Rank, configuration: Configuration, arguments: Arguments) -> Value:
    configuration.sources = (*configuration.sources, arguments.get(0))
    return rank.symbol("files read", configuration.sources, kind="list")


def _option(kind: str) -> Callable[..., Any]:
    def call(rank: Rank, configuration: Configuration, arguments: Arguments) -> Value:
        operands = (configuration.section, *arguments.values, dict(arguments.keywords))
        return rank.symbol("option", configuration.sources, *operands, kind=kind)

    return call


class Hash(Modelled):
    """A hash of what it was given."""

    __slots__ = ("name", "parts")
    type_name = "hash"

    def __init__(self, name: str, parts: tuple[Value, ...]) -> None:
        self.name = name
        self.parts = parts

    def freeze(self, depth: int) -> object:
        """The function and the parts."""
        return "hash", self.name, freeze(self.parts, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods only."""
        return Method(self, name)


def _hash(name: str) -> Handler:
    return lambda rank, arguments: Hash(name, arguments.values)


def _add(rank: Rank, value: Hash, arguments: Arguments) -> Value:
    value.parts = (*value.parts, arguments.get(0))


def _digest(name: str, kind: str) -> Callable[..., Any]:
    return lambda rank, value, arguments: rank.symbol(name, value, kind=kind)


def _hash_of_value(rank: Rank, arguments: Arguments) -> Value:
    """``hash(x)``: that of a text differs between processes."""
    value = arguments.get(0)
    if operations.is_plain(value) and not isinstance(value, (list, set, dict)) and not _has_text(value):
        return hash(value)
    is_salted = isinstance(value, (str, bytes, tuple)) or getattr(value, "kind", "") in ("str", "bytes", "")
    if is_salted and not any("PYTHONHASHSEED" in frame.scope.module.ir.text for frame in rank.frames):
        return rank.symbol("own", "hash", rank.number, "hash", value, own=("hash",), kind="int")
    return rank.symbol("hash", value, kind="int")


def _has_text(value: Value) -> bool:
    return any(map(_has_text, value)) if isinstance(value, tuple) else isinstance(value, (str, bytes, type(None)))


FUNCTIONS: dict[str, Any] = {
    "builtins.hash": _hash_of_value,
    "json.loads": _json_of_text,
    "json.dumps": _text_of_json,
    "pickle.dumps": _pickle,
    "pickle.loads": _unpickle,
    "dill.dumps": _pickle,
    "dill.loads": _unpickle,
    "cloudpickle.dumps": _pickle,
    "cloudpickle.loads": _unpickle,
    **{f"configparser.{name}": lambda rank, arguments: Configuration() for name in (
        "ConfigParser", "RawConfigParser", "SafeConfigParser"
    )},
    **{f"hashlib.{name}": _hash(name) for name in "md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s new".split()},
}  # fmt: skip
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "configuration": {
        "read": _read,
        "read_file": _read,
        "read_string": _read,
        "read_dict": _read,
        "get": _option(""),
        "getint": _option("int"),
        "getfloat": _option("float"),
        "getboolean": _option("bool"),
        "sections": _option("list"),
        "options": _option("list"),
        "items": _option("list"),
        "has_section": _option("bool"),
        "has_option": _option("bool"),
        "keys": _option("list"),
        "*": ignored_method,
    },
    "hash": {"update": _add, "hexdigest": _digest("hexdigest", "str"), "digest": _digest("digest", "bytes")},
}
PURE = ("hashlib", "hmac", "zlib", "binascii", "struct", "base64", "toml", "yaml", "ast.literal_eval")
