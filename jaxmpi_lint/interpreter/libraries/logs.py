"""`logging`: loggers and handlers do nothing that matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jaxmpi_lint.interpreter.libraries.handlers import METHODS as SILENT_METHODS
from jaxmpi_lint.interpreter.libraries.handlers import silent

_MADE = "getLogger Logger StreamHandler FileHandler NullHandler Formatter Filter handlers.RotatingFileHandler".split()
_MADE += ["handlers.TimedRotatingFileHandler", "LoggerAdapter", "handlers.MemoryHandler"]
_LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "WARN": 30, "ERROR": 40, "CRITICAL": 50, "FATAL": 50, "NOTSET": 0}


def _level(number: int) -> Callable[[Any], int]:
    return lambda rank: number


METHODS = SILENT_METHODS
FUNCTIONS: dict[str, Any] = {f"logging.{name}": silent("logger") for name in _MADE}
CONSTANTS: dict[str, Any] = {f"logging.{name}": _level(level) for name, level in _LEVELS.items()}
