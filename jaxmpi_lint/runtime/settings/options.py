"""The options of the sanitizer: their table, and the parser of the user's text."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

from jaxmpi_lint.runtime.settings.domains import Choice, Codes, Domain, Integer, Interface, Path, Seconds, Value
from jaxmpi_lint.runtime.settings.environment import launched_rank, say

SWITCH = "JAXMPI_SANITIZE"
OPTIONS = "JAXMPI_SANITIZE_OPTIONS"
REPORT = "JAXMPI_SANITIZE_REPORT"
LONGEST = 1000  # bytes of canonical text that the ledger can hold
_MISTAKE = 2  # exit code for invalid options
_PATIENCE = 2.0  # seconds


class OptionError(Exception):
    """The options are invalid; the text says what is valid."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its default, its values, its meaning."""

    name: str
    default: Value
    domain: Domain
    meaning: str
    in_core: bool = False  # the core reads it, too

    def value(self, text: str) -> Value:
        """The value of `text`; OptionError if it is invalid."""
        try:
            return self.domain.read(text)
        except ValueError:
            raise OptionError(f"{self.name}={text}: expected {self.domain.accepts}") from None


TABLE = (
    Option("on_error", "abort", Choice(("abort", "raise", "continue")),
           "Effect of an error: end the job; return an MPI error from the call (mpi4py raises it); or continue, "
           "although memory may be corrupted.",
           in_core=True),
    Option("exitcode", 66, Integer(1, 255),
           "Exit code of every rank after an error.",
           in_core=True),
    Option("stall_seconds", 10.0, Seconds(0, 1e6),
           "Seconds without progress before a notice shows which ranks wait for which; 0: never."),
    Option("stall_action", "notice", Choice(("notice", "exit")),
           "Whether that notice ends the job."),
    Option("history", 4096, Integer(64, 1 << 20),
           "Calls of each rank that are kept for reports.",
           in_core=True),
    Option("communicators", 512, Integer(8, 1 << 15),
           "Communicators, windows and files that can be checked at the same time.",
           in_core=True),
    Option("callers", 4, Integer(0, 4),
           "Callers of each MPI call that are recorded with its line; 0: none.",
           in_core=True),
    Option("backend", "mpi4jax", Choice(("mpi4jax", "core")),
           "Module that `import mpi4jax` gives: mpi4jax itself, or jaxmpi-lint's own collectives (see "
           "`docs/collectives.md`), which do not need mpi4jax."),
    Option("suppressions", "", Path("a readable file", readable=True),
           "A file that lists the findings to suppress: code, pattern of file or function, reason."),
    Option("log_dir", "", Path("a folder"),
           "Folder to which the ledger is copied after an error, with one folder in it for each host of several; by "
           "default `./jaxmpi-sanitize.<start>.<job>`."),
    Option("keep", 0, Integer(0, 1_000_000),
           "Folders `./jaxmpi-sanitize.<start>.<job>` that remain after an error, the newest ones; 0: all of them."),
    Option("max_reports", 20, Integer(0, 1_000_000),
           "Number of findings to print; further findings are only counted."),
    Option("buffering", "warn", Choice(("warn", "error", "off")),
           "Severity of reliance on buffering (JS203): a program works only because MPI buffered its messages."),
    Option("fail_on", "", Codes(),
           "Warnings after which the job ends with the exit code of an error, when its ranks have reached their end.",
           in_core=True),
    Option("summary", "on", Choice(("on", "off")),
           "Whether a line at the end states how many calls were checked if nothing was found."),
    Option("attach_seconds", 5.0, Seconds(0, 600),
           "Seconds for which the ranks of a host, and the hosts of a job, wait for each other at the start.",
           in_core=True),
    Option("hosts", "auto", Choice(("auto", "names", "files", "off")),
           "How the hosts of a job find each other: by MPI's name service, by files in the working directory, if they "
           "share it, or by whichever works; off: each host is checked on its own.",
           in_core=True),
    Option("interface", "", Interface(),
           "Network interface by which the monitors of several hosts reach each other, such as `ib0`; by default all."),
    Option("fan_out", 32, Integer(2, 4096),
           "Hosts that one monitor asks; where there are more, some of them collect what others have."),
    Option("hold_ms", 100, Integer(0, 60_000),
           "Milliseconds for which a mismatched call is held, so that the report can name the other ranks.",
           in_core=True),
    Option("deadlock_ms", 200, Integer(10, 600_000),
           "Milliseconds for which each thread must spin or sleep in its call before a deadlock is reported that "
           "contains calls which might also return early."),
)  # fmt: skip
BY_NAME = {option.name: option for option in TABLE}


def parse(text: str) -> dict[str, Value]:
    """The options that a colon-separated text sets."""
    values: dict[str, Value] = {}
    for item in filter(None, text.split(":")):
        name, equals, value = item.partition("=")
        if name not in BY_NAME:
            raise OptionError(f"{name} is not an option; the options are {', '.join(BY_NAME)}")
        if not equals:
            raise OptionError(f"{name} needs a value: {name}={BY_NAME[name].default or 'PATH'}")
        values[name] = BY_NAME[name].value(value)
    return values


def canonical(environment: Mapping[str, str]) -> str:
    """All options as one text, `key=value:key=value`, for the core and the monitor; OptionError if one is invalid."""
    mode = environment.get(SWITCH, "0")
    if mode not in ("1", "strict"):
        raise OptionError(f"{SWITCH}={mode}: expected 1, strict or 0")
    values = parse(environment.get(OPTIONS, ""))
    written = [f"strict={int(mode == 'strict')}"]
    for option in TABLE:
        value = values.get(option.name, option.default)
        if ":" in str(value):
            raise OptionError(f"{option.name}={value}: a value cannot contain a colon, which separates options")
        if value != "":
            written.append(f"{option.name}={value:g}" if isinstance(value, float) else f"{option.name}={value}")
    text = ":".join(written)
    if len(text.encode()) > LONGEST:
        raise OptionError(f"the options are longer than {LONGEST} bytes; use shorter paths")
    return text


def checked(environment: Mapping[str, str]) -> str:
    """`canonical`; an invalid option ends the process."""
    try:
        return canonical(environment)
    except OptionError as mistake:
        say(str(mistake))
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if launched_rank():
            time.sleep(_PATIENCE)  # the launcher ends all ranks when one ends, and rank 0 must print its line before
        os._exit(_MISTAKE)


def read_canonical(text: str) -> dict[str, Value]:
    """The values in a canonical text, which are valid, with defaults for absent ones; `strict` is 0 or 1."""
    values: dict[str, Value] = {option.name: option.default for option in TABLE} | {"strict": 0}
    for item in filter(None, text.split(":")):
        name, _, value = item.partition("=")
        if name in BY_NAME:
            values[name] = type(BY_NAME[name].default)(value)
        elif name == "strict":
            values[name] = int(value)
    return values
