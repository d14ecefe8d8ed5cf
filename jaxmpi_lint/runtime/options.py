"""The options of the sanitizer: one table, the reader of what the user wrote, the page that documents them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jaxmpi_lint.runtime.environment import launched_rank, say

SWITCH = "JAXMPI_SANITIZE"
OPTIONS = "JAXMPI_SANITIZE_OPTIONS"
REPORT = "JAXMPI_SANITIZE_REPORT"
LONGEST = 1000  # bytes of canonical text that the ledger has room for
_MISTAKE = 2  # exit code for options that cannot be meant
_PATIENCE = 2.0  # seconds

Value = str | int | float


class OptionError(Exception):
    """What the user wrote cannot be meant; the text says what can."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: how it is read, what it is if absent, what it means."""

    name: str
    default: Value
    read: Callable[[str], Value]
    accepts: str
    meaning: str

    def value(self, text: str) -> Value:
        """The value of `text`; OptionError if it has none."""
        try:
            return self.read(text)
        except ValueError:
            raise OptionError(f"{self.name}={text}: expected {self.accepts}") from None


def _choice(*words: str) -> tuple[Callable[[str], Value], str]:
    def read(text: str) -> Value:
        if text not in words:
            raise ValueError(text)
        return text

    return read, " or ".join(words)


def _integer(low: int, high: int) -> tuple[Callable[[str], Value], str]:
    def read(text: str) -> Value:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise ValueError(text)
        return int(text)

    return read, f"a whole number from {low} to {high}"


def _seconds(low: float, high: float) -> tuple[Callable[[str], Value], str]:
    def read(text: str) -> Value:
        value = float(text)
        if not low <= value <= high:
            raise ValueError(text)
        return value

    return read, f"a number from {low:.10g} to {high:.10g}"


def _path(text: str) -> Value:
    if not text:
        raise ValueError(text)
    return os.path.abspath(text)


def _file(text: str) -> Value:
    path = _path(text)
    if not os.access(str(path), os.R_OK):
        raise ValueError(text)
    return path


TABLE = (
    Option("on_error", "abort", *_choice("abort", "raise", "continue"),
           "What an error does: end the job, give an MPI error at the call (mpi4py raises it), or go on, although "
           "memory may be damaged."),
    Option("exitcode", 66, *_integer(1, 255),
           "Exit code of every rank after an error."),
    Option("stall_seconds", 10.0, *_seconds(0, 1e6),
           "How long nothing moves before a notice says who waits for whom; 0 is never."),
    Option("stall_action", "notice", *_choice("notice", "exit"),
           "Whether the job goes on after that notice."),
    Option("history", 4096, *_integer(64, 1 << 20),
           "Calls of each rank that a report can look back on."),
    Option("communicators", 512, *_integer(8, 1 << 15),
           "Communicators, windows and files that can be watched at one time."),
    Option("backend", "mpi4jax", *_choice("mpi4jax", "core"),
           "What a program gets that imports mpi4jax: mpi4jax itself, or jaxmpi-lint's own collectives (see "
           "`docs/collectives.md`), for which mpi4jax need not be installed."),
    Option("suppressions", "", _file, "a file that can be read",
           "A file of findings that are not to be reported: code, pattern of file or function, reason."),
    Option("log_dir", "", _path, "a folder",
           "Where the ledger is copied after an error; by default `./jaxmpi-sanitize.<job>`."),
    Option("max_reports", 20, *_integer(0, 1_000_000),
           "Findings that are printed; further ones are counted."),
    Option("buffering", "warn", *_choice("warn", "error", "off"),
           "What a program gets that works only because its messages were buffered."),
    Option("attach_seconds", 5.0, *_seconds(0, 600),
           "How long the ranks of a host wait for each other at the start."),
    Option("hold_ms", 100, *_integer(0, 60_000),
           "How long a mismatching call is held so that the other ranks can be named."),
    Option("deadlock_ms", 200, *_integer(10, 600_000),
           "How long each thread must spin or sleep in its call before a deadlock is believed in which a call might "
           "also return alone."),
)  # fmt: skip
BY_NAME = {option.name: option for option in TABLE}


def parse(text: str) -> dict[str, Value]:
    """The options that a colon-separated text sets."""
    values: dict[str, Value] = {}
    for item in filter(None, text.split(":")):
        name, equals, value = item.partition("=")
        if name not in BY_NAME:
            raise OptionError(f"{name} is not an option; there are {', '.join(BY_NAME)}")
        if not equals:
            raise OptionError(f"{name} needs a value: {name}={BY_NAME[name].default or 'PATH'}")
        values[name] = BY_NAME[name].value(value)
    return values


def canonical(environment: Mapping[str, str]) -> str:
    """All options as one text, `key=value:key=value`, for the core and the monitor; OptionError for a mistake."""
    mode = environment.get(SWITCH, "0")
    if mode not in ("1", "strict"):
        raise OptionError(f"{SWITCH}={mode}: expected 1, strict or 0")
    values = parse(environment.get(OPTIONS, ""))
    written = [f"strict={int(mode == 'strict')}"]
    for option in TABLE:
        value = values.get(option.name, option.default)
        if ":" in str(value):
            raise OptionError(f"{option.name}={value}: a colon separates options and cannot be part of one")
        if value != "":
            written.append(f"{option.name}={value:g}" if isinstance(value, float) else f"{option.name}={value}")
    text = ":".join(written)
    if len(text.encode()) > LONGEST:
        raise OptionError(f"the options are longer than {LONGEST} bytes; shorter paths help")
    return text


def checked(environment: Mapping[str, str]) -> str:
    """`canonical`; a mistake ends the process, because nobody knows what was meant."""
    try:
        return canonical(environment)
    except OptionError as mistake:
        say(str(mistake))
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if launched_rank():
            time.sleep(_PATIENCE)  # the launcher ends all when one ends, and the first rank must have spoken
        os._exit(_MISTAKE)


def read_canonical(text: str) -> dict[str, Value]:
    """The values in a canonical text, absent ones at their default; `strict` is 0 or 1."""
    values: dict[str, Value] = {option.name: option.default for option in TABLE} | {"strict": 0}
    for item in filter(None, text.split(":")):
        name, _, value = item.partition("=")
        if name in BY_NAME:
            values[name] = BY_NAME[name].value(value)
        elif name == "strict":
            values[name] = int(value)
    return values
