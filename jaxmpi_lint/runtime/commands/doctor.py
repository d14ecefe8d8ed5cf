"""`jaxmpi-sanitize doctor`: whether the sanitizer works in this environment. Exit code 0: yes, 1: no.

Each line is one check and its result; `!!` marks a problem, `--` something absent or not checked.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from jaxmpi_lint import __version__
from jaxmpi_lint.runtime.commands import doctor_hosts, installation, probes
from jaxmpi_lint.runtime.commands.answers import Answer, State
from jaxmpi_lint.runtime.settings import elf, options
from jaxmpi_lint.runtime.settings.environment import RANK_VARIABLES, launched_rank

USAGE = f"usage: jaxmpi-sanitize doctor\n{doctor_hosts.USAGE}"
RANKS_TO_PLAN_FOR = 8


def main(arguments: list[str]) -> int:
    """Print all results; 0 if there is no problem, 1 if there is one, 2 for invalid arguments."""
    if arguments and arguments[0] != "--hosts":
        print(USAGE, file=sys.stdout if arguments[0] in ("-h", "--help") else sys.stderr)
        return 0 if arguments[0] in ("-h", "--help") else 2
    sane = True
    for answer in doctor_hosts.examine(arguments[1:]) if arguments else examine():
        if launched_rank() in (None, 0):
            print(answer, flush=True)
        sane = sane and answer.state is not State.BAD
    return 0 if sane else 1


def examine() -> Iterator[Answer]:
    """All checks, each after those that it depends on."""
    yield Answer(State.GOOD, "jaxmpi-lint", f"{__version__}, Python {sys.version.split()[0]} ({sys.executable})")
    native = installation.core()
    yield native
    yield installation.switch()
    yield from option_text()
    answer = probes.ask("mpi") if importlib.util.find_spec("mpi4py") else {}
    yield from library(answer)
    yield from bridge(answer)
    yield from launcher(str(answer.get("version", "")))
    yield from surroundings()
    if native.state is not State.BAD:
        yield memory()
    yield jax()


def option_text() -> Iterator[Answer]:
    """Whether the options are valid."""
    if not os.environ.get(options.OPTIONS):
        return
    try:
        options.canonical({options.SWITCH: "1", options.OPTIONS: os.environ[options.OPTIONS]})
        yield Answer(State.GOOD, "options", os.environ[options.OPTIONS])
    except options.OptionError as mistake:
        yield Answer(State.BAD, "options", str(mistake))


def library(answer: dict[str, object]) -> Iterator[Answer]:
    """mpi4py and the MPI library that it uses."""
    if not answer:
        yield Answer(State.ABSENT, "mpi4py", "not installed")
        return
    version = metadata.version("mpi4py")
    if "error" in answer:
        yield Answer(State.BAD, "mpi4py", f"{version}, cannot be loaded: {answer['error']}")
        return
    yield Answer(State.GOOD, "mpi4py", version)
    mapped = answer.get("mapped", [])
    assert isinstance(mapped, list)
    if not mapped:
        yield Answer(State.GOOD, "MPI library", f"{answer['version']} (MPI {answer['standard']})")
        return
    yield Answer(State.BAD if answer["problem"] else State.GOOD, "MPI library",
                 f"{answer['version']} (MPI {answer['standard']}), {answer['problem'] or answer['abi']}, "
                 f"{', '.join(mapped)}")  # fmt: skip
    if len(mapped) > 1:
        yield Answer(State.BAD, "MPI library", "two MPI libraries are loaded into one process")
    groups = answer["groups"]
    assert isinstance(groups, list)
    yield Answer(State.GOOD if "base" in groups else State.BAD, "functions", ", ".join(groups) or "none is intercepted")
    gpu = {
        True: "accepts device pointers",
        False: "does not accept device pointers",
        None: "does not report whether it accepts device pointers",
    }
    known = answer["gpu"]
    yield Answer(State.GOOD if known else State.ABSENT, "GPU", gpu[known if isinstance(known, bool) else None])


def bridge(answer: dict[str, object]) -> Iterator[Answer]:
    """Whether mpi4jax was built for the MPI library that mpi4py uses."""
    spec = importlib.util.find_spec("mpi4jax")
    if spec is None or not spec.submodule_search_locations:
        yield Answer(State.ABSENT, "mpi4jax", "not installed")
        return
    needed = {
        name
        for folder in spec.submodule_search_locations
        for file in Path(folder).rglob("*.so")
        if (extension := elf.read(file)) is not None
        for name in extension.needed
        if elf.is_mpi(name)
    }
    text = f"{metadata.version('mpi4jax')}, linked to {', '.join(sorted(needed)) or 'no MPI library directly'}"
    mapped = answer.get("mapped", [])
    assert isinstance(mapped, list)
    sonames = {file.soname for path in mapped if (file := elf.read(Path(path))) is not None}
    if needed and sonames and not needed <= sonames:
        yield Answer(State.BAD, "mpi4jax", f"{text}, mpi4py to {', '.join(sorted(sonames))}: rebuild mpi4jax")
    else:
        yield Answer(State.GOOD, "mpi4jax", text)


def launcher(version: str) -> Iterator[Answer]:
    """Whether `mpirun` belongs to the library, and which variables it forwards to the processes."""
    program = shutil.which("mpirun") or shutil.which("mpiexec")
    if program is None:
        known = [name for name in ("srun",) if shutil.which(name)]
        yield Answer(State.ABSENT, "launcher", ", ".join(known) or "no mpirun in PATH")
        return
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=20,
                              stdin=subprocess.DEVNULL).stdout  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as reason:
        yield Answer(State.BAD, "launcher", f"{program} does not respond: {reason}")
        return
    lines = [" ".join(line.split()) for line in said.splitlines()]
    first = f"Hydra, {lines[1]}" if "HYDRA" in said.upper() and len(lines) > 1 else "".join(lines[:1])
    of_open_mpi = "Open MPI" in said or "OpenRTE" in said or "PRRTE" in said or "prte" in said.lower()
    fits = not version or of_open_mpi == version.startswith("Open MPI")
    misfit = "" if fits else f"; it cannot start ranks of {version}"
    yield Answer(State.GOOD if fits else State.BAD, "launcher", f"{program}: {first}{misfit}")
    if of_open_mpi:
        yield Answer(State.GOOD, "forwarding", f"to other hosts only with -x: mpirun -x {options.SWITCH} "
                     f"-x {options.OPTIONS} -x {options.REPORT} ...")  # fmt: skip
    elif "HYDRA" in said.upper():
        yield Answer(State.GOOD, "forwarding", "mpirun forwards the whole environment to every host")
    if shutil.which("srun"):
        yield Answer(State.GOOD, "forwarding", f"srun forwards the environment unless --export restricts it; then "
                     f"use --export=ALL or --export={options.SWITCH},...")  # fmt: skip


def surroundings() -> Iterator[Answer]:
    """Whether this process is a rank of a job."""
    names = [name for name in RANK_VARIABLES if name in os.environ]
    if names:
        yield Answer(State.GOOD, "job", f"started as rank {os.environ[names[0]]} ({names[0]})")


def memory() -> Answer:
    """Whether the ledger of a job fits into shared memory: of a job on one host, and on one of several hosts."""
    from jaxmpi_lint.runtime import _native

    values = options.read_canonical(_options())
    history, communicators = int(values["history"]), int(values["communicators"])
    alone, among = (_native.ledger_size(RANKS_TO_PLAN_FOR, history, communicators, other) for other in (False, True))
    try:
        place = os.statvfs("/dev/shm")
    except OSError as reason:
        return Answer(State.ABSENT, "shared memory", f"/dev/shm: {reason.strerror}; the ledger will be a regular file")
    free = place.f_bavail * place.f_frsize if os.access("/dev/shm", os.W_OK) else 0
    text = (
        f"{free >> 20} MiB free in /dev/shm; {RANKS_TO_PLAN_FOR} ranks of a job on one host need {_mebibytes(alone)}, "
        f"of a job on several hosts {_mebibytes(among)}"
    )
    if free < alone:
        return Answer(State.ABSENT, "shared memory", f"{text}; the ledger will be a regular file")
    if free < among:
        text += ", for which the ledger will be a regular file"
    return Answer(State.GOOD, "shared memory", text)


def _options() -> str:
    """The options in their canonical form; the defaults if they are invalid, which is reported elsewhere."""
    try:
        return options.canonical({options.SWITCH: "1", options.OPTIONS: os.environ.get(options.OPTIONS, "")})
    except options.OptionError:
        return ""


def _mebibytes(size: int) -> str:
    return f"{-(-size >> 20)} MiB"


def jax() -> Answer:
    """JAX, the launcher that it would use, and whether its launches are recorded."""
    if importlib.util.find_spec("jax") is None:
        return Answer(State.ABSENT, "JAX", "not installed")
    found = probes.ask("jax")
    if "error" in found:
        return Answer(State.ABSENT, "JAX", f"{metadata.version('jax')}, {found['error']}")
    clusters = found["clusters"]
    assert isinstance(clusters, list)
    launcher = ", ".join(clusters) or "no launcher"
    seen = f"launches are NOT CHECKED: {found['unseen']}" if found["unseen"] else "launches are checked"
    state = State.ABSENT if found["unseen"] else State.GOOD
    return Answer(state, "JAX", f"{found['version']}; recognises {launcher} here; {seen}")
