"""`jaxmpi-sanitize run [--] PROGRAM [ARGUMENT]...`: run a program for which a `.pth` file cannot work.

The MPI library that the program is linked to is determined, the interposers for it are preloaded, and the program
replaces this process. A Python program is started with the sanitizer activated.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxmpi_lint.runtime.settings import elf, options
from jaxmpi_lint.runtime.settings.environment import monitor_command, say, without_core

USAGE = (
    "usage: jaxmpi-sanitize run [--] PROGRAM [ARGUMENT]...   (after the launcher: mpirun -n 4 jaxmpi-sanitize run ...)"
)
MISTAKE, NOT_EXECUTABLE, NOT_FOUND = 2, 126, 127
NOTE = "JAXMPI_SANITIZE_PRELOADED"  # read by entry.cpp
BETWEEN_PARTS, BETWEEN_WORDS = "\x1e", "\x1f"
ACTIVATED = "import sys; sys.exit('jaxmpi_lint.runtime.activation' not in sys.modules)"
_FLAGS = re.compile(r"-(?P<plain>[^-cmWX]*)(?:(?P<last>[cmWX])(?P<value>.*))?", re.DOTALL)
_WITHOUT_SITE = re.compile(r"-[A-Za-z]*S[A-Za-z]*")
SECONDS = 60  # for the start of an interpreter, perhaps from a slow file system


class NotChecked(Exception):
    """The program runs, but unchecked; the text is the reason."""


def main(arguments: list[str]) -> int:
    """Replace this process by the program; returns only if it cannot be started."""
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else MISTAKE
    program = shutil.which(arguments[0])
    if program is None:
        found = Path(arguments[0])
        if not (found.suffix == ".py" and found.is_file()):
            say(f"{arguments[0]}: no such program")
            return NOT_FOUND
        arguments, program = [sys.executable, *arguments], sys.executable
    environment = {**os.environ, options.SWITCH: os.environ.get(options.SWITCH) or "1"}
    if environment[options.SWITCH] != "0":
        try:
            environment |= plan(Path(program), environment, arguments[1:])
        except options.OptionError as mistake:
            say(str(mistake))
            return MISTAKE
        except NotChecked as reason:
            say(f"NOT CHECKING: {reason}")
            environment[options.SWITCH] = "0"
    try:
        os.execve(program, arguments, environment)
    except OSError as error:
        say(f"{program}: {error.strerror}")
        return NOT_EXECUTABLE


def plan(program: Path, environment: Mapping[str, str], arguments: Sequence[str] = ()) -> dict[str, str]:
    """The variables to add to the environment of `program ARGUMENTS`; NotChecked if it cannot be checked."""
    text = options.canonical(environment)
    file = elf.read(program)
    if file is None:
        interpreter = script_interpreter(program)
        if "python" in interpreter:
            ask(interpreter.split(), environment)
            return {}
        raise NotChecked(f"{program} is a script; put `jaxmpi-sanitize run` before the program that it starts")
    if program.name.startswith("python"):
        flags = interpreter_flags(arguments)
        if flags or str(program.absolute()) != sys.executable:
            ask([str(program), *flags], environment)
        return {}
    if not file.interpreter:
        raise NotChecked(f"{program} is linked statically")
    libraries = dependencies(program, file)
    path = next((path for name, path in libraries.items() if elf.is_mpi(name)), None)
    if path is None:
        raise NotChecked(f"{program} is not linked to an MPI library")
    return preloading(text, path, environment)


def ask(python: list[str], environment: Mapping[str, str]) -> None:
    """Start an interpreter that runs no program; NotChecked if the sanitizer is not activated in it."""
    name = " ".join(python)
    try:
        done = subprocess.run(
            [*python, "-c", ACTIVATED],
            env={**environment, options.SWITCH: "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotChecked(f"{name} cannot be started: {error}") from None
    if done.returncode and any(_WITHOUT_SITE.fullmatch(flag) for flag in python[1:]):
        raise NotChecked(f"`{name}` does not import the module site, which activates the sanitizer; remove -S")
    if done.returncode:
        raise NotChecked(f"jaxmpi-lint is not installed for {name}; install it there, with its sanitizer")


def interpreter_flags(arguments: Sequence[str]) -> list[str]:
    """The options of Python at the start of its arguments, those that have a say in how it starts."""
    flags: list[str] = []
    rest = iter(arguments)
    for one in rest:
        if one.startswith("--"):
            flags += [one, next(rest, "")] if one == "--check-hash-based-pycs" else [one]
            continue
        option = _FLAGS.fullmatch(one)
        if option is None or one == "-":
            break
        plain = option["plain"].replace("i", "")  # it would wait for input
        flags += [f"-{plain}"] if plain else []
        if option["last"] in ("c", "m"):
            break
        if option["last"]:
            flags += [f"-{option['last']}", option["value"] or next(rest, "")]
    return flags


def script_interpreter(program: Path) -> str:
    """The first line of a script after `#!`."""
    try:
        with program.open("rb") as file:
            line = file.readline(256)
    except OSError:
        return ""
    return line[2:].decode(errors="replace").strip() if line.startswith(b"#!") else ""


def dependencies(program: Path, file: elf.ElfFile) -> dict[str, str]:
    """All libraries that the dynamic linker would load with a program, with their paths."""
    listing = subprocess.run(
        [file.interpreter, "--list", str(program.absolute())], capture_output=True, text=True, check=False, timeout=30
    )
    found = {}
    for line in listing.stdout.splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if arrow and rest.startswith("/"):
            found[name] = rest.rpartition(" (")[0] or rest
    return found


def preloading(text: str, path: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that preload the interposers into a program that uses the MPI library at `path`."""
    try:
        from jaxmpi_lint.runtime import _native
    except ImportError as reason:
        raise NotChecked(without_core(reason)) from None
    problem = _native.use_library(path)
    if problem:
        raise NotChecked(problem)
    assert _native.__file__ is not None
    folder = Path(_native.__file__).parent
    files = [str(folder / f"libjaxmpi_mpi_{group}.so") for group in _native.groups()]
    if " " in str(folder) or ":" in str(folder):
        raise NotChecked(f"the dynamic linker cannot preload from {folder}: the path contains a space or a colon")
    before = environment.get("LD_PRELOAD", "")
    note = BETWEEN_PARTS.join([text, BETWEEN_WORDS.join(monitor_command()), before])
    return {NOTE: note, "LD_PRELOAD": " ".join(filter(None, [*files, before]))}
