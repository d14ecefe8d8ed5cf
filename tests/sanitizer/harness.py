"""Runs a program as an MPI job and tells all that came of it, also what it left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from .environments import Environment

MARK = "SANITIZER_TEST_JOB"
SHARED_MEMORY = Path("/dev/shm")
SECONDS = 40.0
PROMPT = "jaxmpi-sanitize: "
# What Open MPI's launcher says now and then, before it starts any rank.
NEVER_STARTED = "The PMIx server's listener thread failed to start"


@dataclass(frozen=True, slots=True)
class Place:
    """One location of a finding."""

    rank: int
    file: str | None
    line: int | None
    function: str | None
    operation: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report file."""

    code: str
    severity: str
    ranks: tuple[int, ...]
    message: str
    places: tuple[Place, ...]
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def read(cls, line: str) -> Finding:
        """From its JSON."""
        raw = json.loads(line)
        names = ("rank", "file", "line", "function", "operation")
        places = tuple(Place(*(location[name] for name in names)) for location in raw["locations"])
        return cls(raw["code"], raw["severity"], tuple(raw["ranks"]), raw["message"], places, raw)


@dataclass(frozen=True, slots=True)
class Result:
    """A job that has ended, or was ended because time was up."""

    status: int
    hung: bool
    out: str
    err: str
    findings: tuple[Finding, ...]
    seconds: float
    held_up: float  # seconds between the launcher's end and the end of its output
    left_files: tuple[str, ...]
    left_processes: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """What came of it, in the words of a case."""
        return "hangs" if self.hung else "ends" if self.status == 0 else "fails"

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "warning")

    @property
    def said(self) -> list[str]:
        """The sanitizer's own lines."""
        return [line for line in self.err.splitlines() if PROMPT in line]

    @property
    def codes(self) -> set[str]:
        return {finding.code for finding in self.findings}

    def __str__(self) -> str:
        findings = "\n".join(json.dumps(finding.raw) for finding in self.findings)
        end = "hung, ended from outside" if self.hung else f"exit {self.status}"
        left = f"left: {self.left_files} {self.left_processes}"
        parts = [
            f"{end} after {self.seconds:.1f} s; {left}",
            "--- out",
            self.out,
            "--- err",
            self.err,
            "--- json",
            findings,
        ]
        return "\n".join(parts)


def processes_of(mark: str) -> dict[int, str]:
    """Live processes that carry the mark in their environment, with their command lines."""
    found = {}
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            if wanted not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            if (folder / "stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                continue
            found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    return found


def _end(mark: str) -> None:
    """End what carries the mark; nothing else."""
    for _ in range(20):
        remaining = processes_of(mark)
        if not remaining:
            return
        for pid in remaining:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)


def _segments() -> set[str]:
    return {name for name in os.listdir(SHARED_MEMORY) if "jaxmpi" in name}


def _mapped() -> str:
    """What any process has mapped, as far as it can be seen."""
    maps = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                maps.append((folder / "maps").read_text())
    return "\n".join(maps)


def _left(before: set[str], mark: str, patience: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """New segments that nobody uses, and processes, that are still there after some patience."""
    deadline = time.monotonic() + patience
    while True:
        files, processes = _segments() - before, processes_of(mark)
        if not files and not processes:
            return (), ()
        if time.monotonic() > deadline:
            mapped = _mapped() if files else ""
            files &= _segments()  # another job's may have gone meanwhile
            return tuple(sorted(name for name in files if name not in mapped)), tuple(processes.values())
        time.sleep(0.1)


class Reader:
    """Collects what comes out of a pipe, with the time of each line."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self.lines: list[tuple[float, str]] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self._pipe:
            self.lines.append((time.monotonic(), line.decode(errors="replace")))

    def ended(self, seconds: float) -> bool:
        """Whether nobody holds the other end any more, after waiting at most so long."""
        self._thread.join(max(0.0, seconds))
        return not self._thread.is_alive()

    @property
    def text(self) -> str:
        return "".join(line for _, line in self.lines)


@dataclass(slots=True)
class Job:
    """A running job; ``finish`` waits for it."""

    process: subprocess.Popen[bytes]
    out: Reader
    err: Reader
    mark: str
    folder: tempfile.TemporaryDirectory[str]
    report: Path
    began: float
    segments: set[str]

    def ranks(self, program: str) -> list[int]:
        """The process ids of its ranks: those that run the program."""
        named = processes_of(self.mark)
        return sorted(pid for pid, line in named.items() if re.fullmatch(rf"\S*python\S* \S*{program}", line))

    def finish(self, seconds: float = SECONDS, patience: float = 3.0) -> Result:
        """Wait; after so many seconds everything that belongs to the job is ended."""
        hung = False
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            hung = True
        ended = time.monotonic()
        if hung:
            _end(self.mark)
        closed = [reader.ended(10) for reader in (self.out, self.err)]
        held_up = time.monotonic() - ended
        if not all(closed):
            _end(self.mark)
        files, processes = _left(self.segments, self.mark, patience)
        _end(self.mark)
        findings: tuple[Finding, ...] = ()
        if self.report.is_file():
            findings = tuple(Finding.read(line) for line in self.report.read_text().splitlines())
        self.folder.cleanup()
        duration = ended - self.began
        out, err = self.out.text, self.err.text
        return Result(self.process.returncode, hung, out, err, findings, duration, held_up, files, processes)


def start(
    environment: Environment,
    program: str | Path | Sequence[str],
    ranks: int,
    *,
    sanitize: str = "1",
    options: Mapping[str, object] | None = None,
    variables: Mapping[str, str] | None = None,
    launcher: Sequence[str] = (),
    entering: Sequence[str] = (),
) -> Job:
    """Start a program text, a file, or a whole command (a sequence) on so many ranks; 0 ranks: without a launcher.

    ``entering`` is a command that runs another one on a host with folders of its own, except /var/tmp.
    """
    folder = tempfile.TemporaryDirectory(prefix="sanitizer-test-", dir="/var/tmp" if entering else None)
    path = Path(folder.name)
    if isinstance(program, str):
        (path / "program.py").write_text(program)
        command = [environment.python, "program.py"]
    elif isinstance(program, Path):
        command = [environment.python, str(program)]
    else:
        command = list(program)
    if ranks:
        command = [*environment.launch(ranks), *launcher, *command]
    if entering:
        command = [*entering, "sh", "-c", 'cd "$0" && exec "$@"', folder.name, *command]
    mark = uuid.uuid4().hex
    full = environment.variables() | {MARK: mark, "JAXMPI_SANITIZE_REPORT": str(path / "report.jsonl")}
    if sanitize:
        full["JAXMPI_SANITIZE"] = sanitize
    settings = {"log_dir": str(path / "kept"), **(options or {})}
    full["JAXMPI_SANITIZE_OPTIONS"] = ":".join(f"{name}={value}" for name, value in settings.items())
    full |= variables or {}
    began = time.monotonic()
    segments = _segments()
    process = subprocess.Popen(
        command,
        cwd=path,
        env=full,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = Reader(process.stdout), Reader(process.stderr)
    return Job(process, out, err, mark, folder, Path(full["JAXMPI_SANITIZE_REPORT"]), began, segments)


def run(
    environment: Environment,
    program: str | Path | Sequence[str],
    ranks: int,
    *,
    sanitize: str = "1",
    options: Mapping[str, object] | None = None,
    variables: Mapping[str, str] | None = None,
    launcher: Sequence[str] = (),
    seconds: float = SECONDS,
) -> Result:
    """Start and finish; once more if the launcher ended before it started anything."""

    for _ in range(2):
        job = start(
            environment, program, ranks, sanitize=sanitize, options=options, variables=variables, launcher=launcher
        )
        result = job.finish(seconds)
        if NEVER_STARTED not in result.err:
            break
    return result


def wait_for(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Until the condition holds; the test fails if it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def begun(job: Job) -> None:
    """Wait until the program says so."""
    wait_for(lambda: "begun" in job.out.text)


def monitors(mark: str) -> list[int]:
    """The monitors of a job."""
    return [pid for pid, line in processes_of(mark).items() if "runtime.monitor" in line]
