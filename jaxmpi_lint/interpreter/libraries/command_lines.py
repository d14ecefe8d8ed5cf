"""Functions that a library calls with what it reads from the command line: `click`, `typer`, `fire`, `absl`, `hydra`.

Their parameters are options, equal on all processes. `click`, `typer` and `absl` end the program after the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.definitions import fields_of
from jaxmpi_lint.interpreter.libraries.options import Options, Parser, option
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import ProgramError, Raised
from jaxmpi_lint.interpreter.values import MISSING, ClassValue, FunctionValue, Method, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Command(Modelled):
    """A function that is called without arguments, or a group of such commands; ``exits`` if the program ends then."""

    __slots__ = ("commands", "exits", "wrapped")
    type_name = "command"

    def __init__(self, wrapped: Value = None, exits: bool = True) -> None:
        self.wrapped = wrapped
        self.exits = exits
        self.commands: list[Value] = []

    def freeze(self, depth: int) -> object:
        """The function."""
        return "command", self.wrapped.freeze(depth) if isinstance(self.wrapped, FunctionValue) else None

    def attribute(self, rank: Rank, name: str) -> Value:
        """The function, or a method."""
        return self.wrapped if name in ("callback", "__wrapped__") else Method(self, name)


class Commanding(Modelled):
    """A decorator that makes a command of a function, and adds it to a group if there is one."""

    __slots__ = ("exits", "group", "keeps")
    type_name = "commanding"

    def __init__(self, group: Command | None = None, exits: bool = True, keeps: bool = False) -> None:
        """``keeps``: the name of the function stays that of the function itself."""
        self.group, self.exits, self.keeps = group, exits, keeps

    def freeze(self, _depth: int) -> object:
        """The name."""
        return ("commanding",)

    def decorate(self, rank: Rank, value: Value) -> Value:
        """The command."""
        made = Command(value, self.exits)
        if self.group is not None:
            self.group.commands.append(made)
        return value if self.keeps else made


# --- calls ---


def _run(rank: Rank, command: Command, arguments: Arguments) -> Running:
    """Call a command or one of its group; ``standalone_mode=False`` goes on after it."""
    result = None
    if arguments.values and not command.exits:
        return (yield from rank.call(command.wrapped, arguments.values, arguments.keywords, rank.state["span"]))
    if command.wrapped is not None:
        result = yield from call_with_options(rank, command.wrapped)
    for number, one in enumerate(command.commands):
        is_last = number == len(command.commands) - 1
        if is_last or rank.truth(rank.symbol("command", command, number, kind="bool")):
            result = yield from rank.call(one, (), {"standalone_mode": False}, rank.state["span"])
            break
    if command.exits and arguments.keywords.get("standalone_mode", True) is True:
        raise ProgramError(Raised("builtins.SystemExit", ()))
    return result


def call_with_options(rank: Rank, function: Value, *first: Value) -> Running:
    """Call a function whose parameters are options, after those that are given."""
    if not isinstance(function, FunctionValue):
        return (yield from rank.call(function, first, {}, rank.state["span"]))
    parser = _options_of(function)
    names = [one.name for one in function.ir.parameters[len(first) :] if one.kind not in ("star", "double-star")]
    given = {name: option(rank, parser, name) for name in names}
    return (yield from rank.call(function, first, given, rank.state["span"]))


def _options_of(function: FunctionValue) -> Parser:
    """The kinds and defaults of options, as the signature and the decorators of `click` have them."""
    parser = Parser()
    for parameter in function.ir.parameters:
        default = function.defaults.get(parameter.name, MISSING)
        if operations.is_plain(default):
            parser.values[parameter.name] = default
        parser.kinds[parameter.name] = _kind(parameter.annotation, default)
    for call in (one for one in function.ir.decorators if isinstance(one, ir.Call)):
        if (ir.dotted(call.func) or "").rpartition(".")[2] in ("option", "argument"):
            _add_option(parser, call)
    return parser


def _add_option(parser: Parser, call: ir.Call) -> None:
    texts = [one.value.value for one in call.args if one.keyword is None and isinstance(one.value, ir.Constant)]
    names = [text for text in texts if isinstance(text, str)]
    plain = [text for text in names if not text.startswith("-")]
    long = [text for text in names if text.startswith("--")]
    name = next(iter([*plain, *long, *names]), "").lstrip("-").partition("/")[0].replace("-", "_")
    default = call.argument(None, "default")
    if isinstance(default, ir.Constant):
        parser.values[name] = default.value
    given: Value = default.value if isinstance(default, ir.Constant) else MISSING
    parser.kinds[name] = _kind(call.argument(None, "type"), given)


def _kind(annotation: ir.Expression | None, default: Value) -> str:
    """The kind of an option; none where it may be None."""
    if default is None:
        return ""
    if isinstance(annotation, ir.Name) and annotation.id in _PLAIN:
        return annotation.id
    return type(default).__name__ if type(default).__name__ in _PLAIN else ""


_PLAIN = ("int", "float", "str", "bool")


# --- libraries ---


def _decorator(exits: bool) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        function = arguments.get(0, "")
        return Command(function, exits) if isinstance(function, FunctionValue) else Commanding(exits=exits)

    return call


def _add(keeps: bool) -> Callable[..., Value]:
    def call(rank: Rank, group: Command, arguments: Arguments) -> Value:
        function, adding = arguments.get(0, ""), Commanding(group, keeps=keeps or group.wrapped is None)
        return adding.decorate(rank, function) if isinstance(function, FunctionValue) else adding

    return call


def _include(rank: Rank, group: Command, arguments: Arguments) -> Value:
    group.commands.append(arguments.get(0, "cmd"))


def _call(exits: bool) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Running:
        function = arguments.get(0)
        if isinstance(function, ClassValue):
            made = yield from rank.call(function, (), dict(_fields(rank, function)), rank.state["span"])
            return made
        if not isinstance(function, FunctionValue):
            return rank.symbol("command line", *arguments.every())
        result = yield from call_with_options(rank, function)
        if exits:
            raise ProgramError(Raised("builtins.SystemExit", ()))
        return result

    return call


def _fields(rank: Rank, cls: ClassValue) -> Iterator[tuple[str, Value]]:
    """The options of a class of settings: its fields without a default, or with one that is plain data."""
    for name, default, owner in fields_of(cls):
        value = owner.members.get(name, MISSING)
        if default is None or (value is not MISSING and operations.is_plain(value)):
            parser = Parser()
            parser.kinds[name] = _kind(None, value)
            if value is not MISSING:
                parser.values[name] = value
            yield name, option(rank, parser, name)


def _app(rank: Rank, arguments: Arguments) -> Running:
    """``absl.app.run(main)``: it gets the arguments that are no flags."""
    yield from call_with_options(rank, arguments.get(0, "main"), rank.symbol("argv", kind="list"))
    raise ProgramError(Raised("builtins.SystemExit", ()))


def _flags(rank: Rank) -> Options:
    found: Options = rank.state.setdefault("flags", Options(Parser(), {}))
    return found


class Flag(Modelled):
    """What ``flags.DEFINE_integer`` returns."""

    __slots__ = ("name",)
    type_name = "flag"

    def __init__(self, name: str) -> None:
        self.name = name

    def freeze(self, _depth: int) -> object:
        """The name."""
        return "flag", self.name

    def attribute(self, rank: Rank, name: str) -> Value:
        """The value of the flag."""
        return _flags(rank).attribute(rank, self.name) if name == "value" else rank.symbol("flag", self.name, name)


def _define(kind: str) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        name, default = arguments.get(0, "name"), arguments.get(1, "default")
        parser = _flags(rank).parser
        if not isinstance(name, str) or parser is None:
            return rank.symbol("flag", name)
        parser.kinds[name] = "" if default is None else kind
        if operations.is_plain(default):
            parser.values[name] = default
        return Flag(name)

    return call


_KINDS = {"integer": "int", "float": "float", "string": "str", "bool": "bool", "boolean": "bool", "enum": "str"}
DECORATORS: dict[str, Handler] = {
    **dict.fromkeys(("click.command", "click.group"), _decorator(exits=True)),
    "hydra.main": _decorator(exits=False),
}
FUNCTIONS: dict[str, Any] = {
    **DECORATORS,
    "typer.Typer": lambda rank, arguments: Command(),
    "typer.run": _call(exits=True),
    **dict.fromkeys(("fire.Fire", "tyro.cli", "simple_parsing.parse", "jsonargparse.CLI"), _call(exits=False)),
    **dict.fromkeys(("defopt.run", "plac.call", "jsonargparse.auto_cli"), _call(exits=False)),
    "absl.app.run": _app,
    **{f"absl.flags.DEFINE_{name}": _define(kind) for name, kind in _KINDS.items()},
}
CONSTANTS: dict[str, Callable[[Any], Value]] = {"absl.flags.FLAGS": _flags}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "command": {
        "__call__": _run,
        "main": _run,
        "command": _add(keeps=False),
        "group": _add(keeps=False),
        "callback": _add(keeps=True),
        "add_command": _include,
        "add_typer": _include,
    },
    "commanding": {},
    "flag": {},
}
PURE = ("absl", "click", "typer", "fire", "tyro")
