"""`logging`: the levels that each rank sets; everything else of loggers and handlers does nothing that matters.

A level that no call in sight sets is not known: a library or a file of settings may set it, alike on all ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.libraries import object_texts
from jaxmpi_lint.interpreter.libraries.handlers import METHODS as SILENT_METHODS
from jaxmpi_lint.interpreter.libraries.handlers import Silent, ignored_method, silent
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Method, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_MADE = "Logger StreamHandler FileHandler NullHandler Formatter Filter handlers.RotatingFileHandler".split()
_MADE += ["handlers.TimedRotatingFileHandler", "handlers.MemoryHandler"]
_LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "WARN": 30, "ERROR": 40, "CRITICAL": 50, "FATAL": 50, "NOTSET": 0}
_MESSAGES = {
    **{level.lower(): level for level in _LEVELS if level != "NOTSET"},
    "exception": "ERROR",
    "log": "LOG",
}
"""Methods that log a message, with its level; the functions of the module give the root a handler."""

ROOT = ""
"""The name of the logger above all others."""


@dataclass(slots=True, eq=False)
class Logger(Modelled):
    """A logger in one rank; ``level`` is None if the rank has not set it."""

    name: Value
    level: Value = None
    disabled: Value = False
    type_name = "logger"

    def freeze(self, depth: int) -> object:
        """The name."""
        return "logger", freeze(self.name, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """The level, other fields that are equal on all ranks, or a method."""
        if name == "level":
            return _unset(rank, self) if self.level is None else self.level
        fields = ("handlers", "disabled", "name", "propagate", "root", "parent", "manager")
        return rank.symbol("silent", "logger", name) if name in fields else Method(self, name)

    def set_attribute(self, rank: Rank, name: str, value: Value) -> None:
        """Level and whether it is disabled; other fields are ignored."""
        if name == "level":
            self.level = _number(rank, value)
        elif name == "disabled":
            self.disabled = value


@dataclass(slots=True)
class _Loggers:
    """The loggers of one rank by name; ``disabled`` is the level up to which no logger logs.

    ``has_handlers`` if the root has, or may have, a handler: `basicConfig` does nothing then. ``has_any`` if some
    logger has one.
    """

    known: dict[object, Logger]
    disabled: Value = 0
    has_handlers: bool = False
    has_any: bool = False


def _loggers(rank: Rank) -> _Loggers:
    found: _Loggers = rank.state.setdefault("loggers", _Loggers({}))
    return found


def _named(rank: Rank, name: Value) -> Logger:
    """The logger of a name, one in each rank."""
    name = ROOT if name is None or name == "root" else name
    return _loggers(rank).known.setdefault(freeze(name), Logger(name))


def _number(rank: Rank, level: Value) -> Value:
    """A level given as a number or as its name."""
    if isinstance(level, str):
        return _LEVELS.get(level, rank.symbol("log level", level, kind="int"))
    return level


def _unset(rank: Rank, logger: Logger) -> Symbol:
    return rank.symbol("log level of", logger.name, kind="int")


# --- levels ---


def _effective(rank: Rank, logger: Logger) -> Value:
    """The level of a logger, or of the nearest one above it that has one."""
    known = _loggers(rank).known
    for name in _lineage(logger.name):
        one = known.get(freeze(name))
        if one is not None and one.level is not None and one.level != 0:
            return one.level
    return _unset(rank, logger)


def _lineage(name: Value) -> list[Value]:
    """The name of a logger and those of the loggers above it, the nearest first."""
    if not isinstance(name, str) or not name:
        return [name, ROOT] if name != ROOT else [ROOT]
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)] + [ROOT]


def _is_enabled(rank: Rank, logger: Logger, arguments: Arguments) -> Value:
    level, disabled, effective = arguments.get(0, "level"), _loggers(rank).disabled, _effective(rank, logger)
    limits = (level, disabled, effective)
    if logger.disabled is True or (isinstance(level, int) and isinstance(disabled, int) and 0 < level <= disabled):
        return False
    if logger.disabled is False and all(isinstance(limit, int) for limit in limits):
        return level >= effective
    return rank.symbol("log enabled", *limits, logger.disabled, kind="bool")


def _log(level: str) -> Callable[..., Any]:
    """A message of a level: the texts of the objects in it are made if the logger is known to log it.

    Without any handler only warnings and errors are written.
    """

    def call(rank: Rank, logger: Logger, arguments: Arguments) -> Running:
        given, rest = _LEVELS.get(level), arguments.values
        if given is None:
            given, rest = arguments.get(0, "level"), rest[1:]
        is_written = _loggers(rank).has_any or (isinstance(given, int) and given >= _LEVELS["WARNING"])
        if rest and is_written and _is_enabled(rank, logger, Arguments((given,), {})) is True:
            yield from object_texts.show_message(rank, rest[0], rest[1:])
        return None

    return call


def _set_level(rank: Rank, logger: Logger, arguments: Arguments) -> Value:
    logger.level = _number(rank, arguments.get(0, "level"))
    return None


def _child(rank: Rank, logger: Logger, arguments: Arguments) -> Value:
    suffix = arguments.get(0, "suffix")
    if isinstance(logger.name, str) and isinstance(suffix, str):
        return _named(rank, f"{logger.name}.{suffix}" if logger.name else suffix)
    return _named(rank, rank.symbol("child logger", logger.name, suffix, kind="str"))


def _add_handler(rank: Rank, logger: Logger, arguments: Arguments) -> Value:
    loggers = _loggers(rank)
    loggers.has_any, loggers.has_handlers = True, loggers.has_handlers or logger.name == ROOT
    return None


# --- functions of the module ---


def _configure(rank: Rank, arguments: Arguments) -> Value:
    """`basicConfig`: sets the level of the root, unless it has handlers."""
    loggers, keywords = _loggers(rank), arguments.keywords
    may_set = not loggers.has_handlers or keywords.get("force") is True
    if may_set and keywords.get("level") is not None:
        _named(rank, ROOT).level = _number(rank, keywords["level"])
    loggers.has_any = loggers.has_handlers = True
    return None


def _read_settings(rank: Rank, arguments: Arguments) -> Value:
    """Settings of all loggers, which are not followed."""
    loggers = _loggers(rank)
    for logger in loggers.known.values():
        logger.level, logger.disabled = None, False
    loggers.has_any = loggers.has_handlers = True
    return None


def _disable(rank: Rank, arguments: Arguments) -> Value:
    _loggers(rank).disabled = _number(rank, arguments.get(0, "level", _LEVELS["CRITICAL"]))
    return None


def _log_by_root(level: str) -> Callable[..., Any]:
    """A function of the module: a message of the root."""
    logged = _log(level)

    def call(rank: Rank, arguments: Arguments) -> Running:
        loggers = _loggers(rank)
        loggers.has_any = loggers.has_handlers = True
        return (yield from logged(rank, _named(rank, ROOT), arguments))

    return call


def _adapter(rank: Rank, arguments: Arguments) -> Value:
    """A logger that adds to the messages of another one."""
    adapted = arguments.get(0, "logger")
    return adapted if isinstance(adapted, Logger) else Silent("logger")


def _level(number: int) -> Callable[[Any], int]:
    return lambda rank: number


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    **SILENT_METHODS,
    "logger": {
        "isEnabledFor": _is_enabled,
        "setLevel": _set_level,
        "getEffectiveLevel": lambda rank, logger, arguments: _effective(rank, logger),
        "getChild": _child,
        "addHandler": _add_handler,
        **{name: _log(level) for name, level in _MESSAGES.items()},
        "hasHandlers": lambda rank, logger, arguments: rank.symbol("silent", "logger", "hasHandlers", kind="bool"),
        "*": ignored_method,
    },
}
FUNCTIONS: dict[str, Any] = {
    **{f"logging.{name}": silent("logger") for name in _MADE},
    **{f"logging.{name}": _log_by_root(level) for name, level in _MESSAGES.items()},
    "logging.getLogger": lambda rank, arguments: _named(rank, arguments.get(0, "name")),
    "logging.LoggerAdapter": _adapter,
    "logging.basicConfig": _configure,
    "logging.config.dictConfig": _read_settings,
    "logging.config.fileConfig": _read_settings,
    "logging.disable": _disable,
}
CONSTANTS: dict[str, Any] = {
    **{f"logging.{name}": _level(level) for name, level in _LEVELS.items()},
    "logging.root": lambda rank: _named(rank, ROOT),
}
