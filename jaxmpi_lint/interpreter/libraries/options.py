"""`argparse` and `optparse`: what is given on the command line is equal on all processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import namespaces, open_tables, process_numbers
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries import builtin_types
from jaxmpi_lint.interpreter.libraries.handlers import ignored_method, itself
from jaxmpi_lint.interpreter.libraries.paths import PathValue
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.values import MISSING, Library, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_KINDS = {"builtins.int": "int", "builtins.float": "float", "builtins.str": "str", "builtins.bool": "bool"}
_FLAGS = ("store_true", "store_false")


class Parser(Modelled):
    """A parser, one of its groups or of its commands: ``kinds`` of the options, ``defaults`` set for all.

    ``values`` has what options are that the command line does not give, as far as that is known.
    """

    __slots__ = ("defaults", "is_optional", "kinds", "values")
    type_name = "parser"

    def __init__(self, above: Parser | None = None, is_optional: bool = True) -> None:
        """``is_optional``: whether a command line without the options is a right one, and they have plain defaults."""
        self.is_optional: bool = is_optional and (above is None or above.is_optional)
        self.kinds: dict[str, str] = {} if above is None else above.kinds
        self.defaults: dict[str, list[Value]] = {} if above is None else above.defaults
        self.values: dict[str, Value] = {} if above is None else above.values

    def without_values(self) -> Parser:
        """The parser of a command line that the program itself holds: defaults are not what it gives."""
        found = Parser(self)
        found.values = {}
        return found

    def freeze(self, _depth: int) -> object:
        """The options."""
        return "parser", *sorted(self.kinds)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Texts, or a method."""
        return rank.symbol("parser", name) if name in ("prog", "description") else Method(self, name)


class Options(Modelled):
    """The result of a parser, or `argparse.Namespace`: fields are symbols by name."""

    __slots__ = ("fields", "parser")
    type_name = "options"

    def __init__(self, parser: Parser | None, fields: dict[str, Value]) -> None:
        self.parser = parser
        self.fields = fields

    def freeze(self, _depth: int) -> object:
        """The names."""
        return "options", *sorted(map(str, self.fields))

    def attribute(self, rank: Rank, name: str) -> Value:
        """The value of an option."""
        if name == "__dict__":
            return self.table(rank)
        if name not in self.fields and open_tables.is_open(self.fields):
            return rank.symbol("item", self.fields, name)
        if name not in self.fields:
            self.fields[name] = option(rank, self.parser, name)
        return self.fields[name]

    def set_attribute(self, rank: Rank, name: str, value: Value) -> None:
        """``options.name = value``."""
        if name == "__dict__":
            self.fields = namespaces.replace(rank, self.fields, value)
        else:
            self.fields[name] = value

    def table(self, rank: Rank) -> dict[str, Value]:
        """The dict of all options; what is written there reaches the object."""
        names = [*(self.parser.kinds if self.parser is not None else ()), *self.fields]
        options = {name: self.attribute(rank, name) for name in names}
        self.fields.clear()
        self.fields.update(options)
        return self.fields

    def replicate(self, copied: Callable[[Value], Value]) -> Options:
        """A copy with fields of its own."""
        return Options(self.parser, {name: copied(value) for name, value in self.fields.items()})


_PATH = "path"
_PATH_TYPE = Library("pathlib.Path")


def option(rank: Rank, parser: Parser | None, name: str) -> Value:
    """A symbol, or what commands set for the option: one of several is chosen alike on all ranks."""
    given = parser.defaults.get(name, []) if parser is not None else []
    for number, value in enumerate(given[:-1]):
        if rank.truth(rank.symbol("command", name, number, kind="bool")):
            return value
    if given:
        return given[-1]
    number = process_numbers.known(rank, ("option", name))
    if number is not MISSING:
        return number
    rank.world.symbols.reads_options = True
    if parser is not None and rank.world.symbols.takes_defaults and name in parser.values:
        return parser.values[name]
    kind = parser.kinds.get(name, "") if parser is not None else ""
    return (
        PathValue(rank.symbol("option", name, kind="str")) if kind == _PATH else rank.symbol("option", name, kind=kind)
    )


def _parser(rank: Rank, arguments: Arguments) -> Value:
    found = Parser(is_optional="argument_default" not in arguments.keywords)
    for parent in arguments.get(-1, "parents") or ():
        if isinstance(parent, Parser):
            found.kinds.update(parent.kinds)
            found.values.update(parent.values)
    return found


def _add(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    names = [name for name in arguments.values if isinstance(name, str)]
    dest = arguments.keywords.get("dest")
    if not isinstance(dest, str):
        long = [name for name in names if name.startswith("--")] or names
        dest = long[0].lstrip("-").replace("-", "_") if long else ""
    is_positional = bool(names) and not names[0].startswith("-")
    parser.kinds[dest] = _kind(arguments, is_positional)
    default = _default(arguments, is_positional)
    is_set = "default" not in arguments.keywords and dest in parser.values  # by `set_defaults`
    if default is not MISSING and parser.is_optional and not is_set:
        parser.values[dest] = default


def _default(arguments: Arguments, is_positional: bool) -> Value:
    """What an option is that the command line does not give; MISSING if that is not known."""
    keywords = arguments.keywords
    default = keywords.get("default", keywords.get("action") == "store_false" if _is_flag(keywords) else None)
    is_given = keywords.get("required") is True or (is_positional and keywords.get("nargs") not in ("?", "*"))
    if keywords.get("type") == _PATH_TYPE and isinstance(default, str):
        default = PathValue(default)
    if is_given or not isinstance(default, (int, float, str, type(None), list, tuple, PathValue)):
        return MISSING
    if not isinstance(default, str):
        return list(default) if isinstance(default, list) else default
    return default if keywords.get("type") in (None, Library("builtins.str")) else MISSING


def _is_flag(keywords: Mapping[str, Value]) -> bool:
    return keywords.get("action") in _FLAGS


def _kind(arguments: Arguments, is_positional: bool) -> str:
    """The kind of an option; none where it may be None."""
    keywords = arguments.keywords
    action = keywords.get("action")
    if _is_flag(keywords):
        return "bool"
    if action in ("count", "append") or keywords.get("nargs") == "?":
        return ""
    default = keywords.get("default")
    if keywords.get("nargs") is not None:
        return "list" if is_positional or default is not None else ""
    if default is None and not is_positional and keywords.get("required") is not True:
        return ""
    given = keywords.get("type")
    if given == _PATH_TYPE:
        return _PATH
    if isinstance(given, Library):
        return _KINDS.get(given.dotted, "")
    if given is not None:
        return ""
    return type(default).__name__ if isinstance(default, (int, float, str)) and default is not None else "str"


def _group(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    return Parser(parser, is_optional=arguments.keywords.get("required") is not True)


def _commands(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    return Parser(parser)


def _command(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    return Parser(parser)


def _set_defaults(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    for name, value in arguments.keywords.items():
        if type(value).__name__ in ("FunctionValue", "BoundMethod", "ClassValue"):
            parser.defaults.setdefault(name, []).append(value)
        parser.values[name] = value


def _parse(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    given, words = arguments.get(1, "namespace"), arguments.get(0, "args")
    if isinstance(given, Options):
        return given
    is_written = isinstance(words, (list, tuple)) and bool(words) and not isinstance(words, GuessedList)
    return Options(parser.without_values() if is_written else parser, {})


def _parse_known(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    return _parse(rank, parser, arguments), rank.symbol("other arguments", kind="list")


def _namespace(rank: Rank, arguments: Arguments) -> Value:
    return Options(None, dict(arguments.keywords))


def _variables(rank: Rank, arguments: Arguments) -> Value:
    if not arguments.has(0):
        return namespaces.local(rank, rank.frames[-1])
    return namespaces.fields(rank, arguments.get(0))


_PARSER: dict[str, Callable[..., Any]] = {
    "add_argument": _add,
    "add_option": _add,
    "add_argument_group": _group,
    "add_mutually_exclusive_group": _group,
    "add_option_group": ignored_method,
    "add_subparsers": _commands,
    "add_parser": _command,
    "set_defaults": _set_defaults,
    "parse_args": _parse,
    "parse_known_args": _parse_known,
    "parse_intermixed_args": _parse,
    "format_help": itself,
    "*": ignored_method,
}


def _parse_options(rank: Rank, parser: Parser, arguments: Arguments) -> Value:
    return Options(parser, {}), rank.symbol("other arguments", kind="list")


class OldParser(Parser):
    """`optparse.OptionParser`, whose result is a pair."""

    __slots__ = ()
    type_name = "old parser"


def _type(rank: Rank, arguments: Arguments) -> Value:
    """``type(name, bases, members)`` makes a class whose members are read; with one argument it is the type."""
    members = arguments.get(2)
    if isinstance(members, dict) and all(isinstance(name, str) for name in members):
        return Options(None, dict(members))
    of_value = builtin_types.FUNCTIONS["builtins.type"]
    return of_value(rank, arguments)


FUNCTIONS: dict[str, Any] = {
    "argparse.ArgumentParser": _parser,
    "argparse.Namespace": _namespace,
    "types.SimpleNamespace": _namespace,
    "optparse.OptionParser": lambda rank, arguments: OldParser(),
    "optparse.OptionGroup": lambda rank, arguments: arguments.get(0),
    "builtins.vars": _variables,
    "builtins.type": _type,
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "parser": _PARSER,
    "old parser": {**_PARSER, "parse_args": _parse_options},
    "options": {},
}
PURE = ("argparse",)
