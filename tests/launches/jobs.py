"""Runs a program as several JAX processes and tells all that came of it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from prepare import OLDER_FOLDER
from sanitizer.environments import Environment, cannot_run, environments, has
from sanitizer.harness import MARK, PROMPT, Finding, Reader, processes_of

SECONDS = 120.0
PATIENCE = 5.0  # seconds in which nothing may be left behind
PRELUDE = """\
import os
import jax
rank, size = int(os.environ["PROCESS"]), int(os.environ["PROCESSES"])
jax.distributed.initialize(os.environ["ADDRESS"], size, rank)  # begins
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
split, whole = NamedSharding(mesh, P("x")), NamedSharding(mesh, P())
def spread(local):
    shape = (len(local) * size, *local.shape[1:])
    return jax.make_array_from_single_device_arrays(shape, split, [jax.device_put(local, jax.local_devices()[0])])
def mapped(f, out=P()):
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=out, check_vma=False))
"""


@dataclass(frozen=True, slots=True)
class Result:
    """A job that has ended, or was ended because time was up."""

    statuses: tuple[int, ...]
    hung: bool
    out: tuple[str, ...]
    err: tuple[str, ...]
    findings: tuple[Finding, ...]
    left: tuple[str, ...]  # processes and files that were still there

    @property
    def said(self) -> list[str]:
        """The sanitizer's own lines."""
        return [line for text in self.err for line in text.splitlines() if PROMPT in line]

    @property
    def codes(self) -> set[str]:
        return {finding.code for finding in self.findings}

    def __str__(self) -> str:
        end = "hung, ended from outside" if self.hung else f"exit {self.statuses}; left: {self.left}"
        pairs = enumerate(zip(self.out, self.err, strict=True))
        texts = [f"--- out {i}\n{out}--- err {i}\n{err}" for i, (out, err) in pairs]
        return "\n".join([end, *texts, *(str(finding.raw) for finding in self.findings)])


def environment() -> Environment:
    """An environment with JAX; skips, or fails where runs are required, if there is none."""
    found = next((one for one in environments().values() if has(one.prefix, "jax")), None)
    return found or cannot_run("no environment with jax: run `python tests/prepare.py`")


def older_jax() -> dict[str, str]:
    """What a process needs to use the older JAX; skips, or fails where runs are required, if there is none."""
    if not OLDER_FOLDER.is_dir():
        cannot_run("no older jax for this Python: run `python tests/prepare.py`")
    return {"PYTHONPATH": str(OLDER_FOLDER)}


def free_address() -> str:
    """Where a coordinator can listen; outside the ports that the kernel gives to connections."""
    while True:
        port = random.randrange(12_000, 30_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("localhost", port))
            return f"localhost:{port}"


def variables(where: Environment, folder: Path, sanitize: str, options: Mapping[str, object]) -> dict[str, str]:
    """The environment of a process of a job."""
    kept = {name: value for name, value in where.variables().items() if not name.startswith(("JAX", "XLA"))}
    kept |= {"JAX_PLATFORMS": "cpu", "ADDRESS": free_address(), MARK: uuid.uuid4().hex}
    kept["JAXMPI_SANITIZE_REPORT"] = str(folder / "report.jsonl")
    kept["JAXMPI_SANITIZE_OPTIONS"] = ":".join(
        f"{name}={value}" for name, value in {"log_dir": folder / "kept", **options}.items()
    )
    return kept | ({"JAXMPI_SANITIZE": sanitize} if sanitize else {})


def run(
    program: str,
    processes: int = 2,
    *,
    sanitize: str = "1",
    options: Mapping[str, object] | None = None,
    each: Sequence[Mapping[str, str]] = (),
    launcher: Sequence[str] = (),
    where: Environment | None = None,
    seconds: float = SECONDS,
    prelude: str = PRELUDE,
    hosts: Sequence[str] = (),
) -> Result:
    """Start a program text as so many processes, plain ones or by a launcher; after so many seconds they are ended.

    ``hosts``: the name of the host that each process takes this machine for, see `as_host`.
    """
    where = where or environment()
    with tempfile.TemporaryDirectory(prefix="launches-test-") as name:
        folder = Path(name)
        (folder / "program.py").write_text(prelude + program)
        common = variables(where, folder, sanitize, options or {}) | {"PROCESSES": str(processes)}
        mark, address = common[MARK], common["ADDRESS"]
        command = [*launcher, where.python, "program.py"]
        own = [common] if launcher else [common | {"PROCESS": str(index)} for index in range(processes)]
        commands = [[*as_host(hosts[index]), *command] if hosts else command for index in range(len(own))]
        own = [one | dict(each[index] if index < len(each) else {}) for index, one in enumerate(own)]
        started = [
            subprocess.Popen(
                words, cwd=folder, env=one, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )
            for words, one in zip(commands, own, strict=True)
        ]  # fmt: skip
        out = [Reader(process.stdout) for process in started if process.stdout is not None]
        err = [Reader(process.stderr) for process in started if process.stderr is not None]
        hung = not _ended(started, seconds)
        if hung:
            _kill(mark)
        for reader in (*out, *err):
            reader.ended(10)
        left = _left(mark, address)
        _kill(mark)
        report = folder / "report.jsonl"
        findings = tuple(map(Finding.read, report.read_text().splitlines())) if report.is_file() else ()
        statuses = tuple(process.wait(10) for process in started)
        texts = [tuple(reader.text for reader in readers) for readers in (out, err)]
        return Result(statuses, hung, texts[0], texts[1], findings, left)


def as_host(name: str) -> list[str]:
    """What a command is put behind to run as if on a machine of another name; skips where that is not allowed.

    The sanitizer takes processes for those of one host that have the host's name, the network and shared memory in
    common. A namespace of its own gives a process another name. Names are addresses of this machine, because gloo looks
    them up.
    """
    if not _may_rename():
        cannot_run("no `unshare --uts` here, which gives a process a host name of its own")
    program = "import os, socket, sys; socket.sethostname(sys.argv[1]); os.execv(sys.argv[2], sys.argv[2:])"
    return [*_unshare(), sys.executable, "-c", program, name]


@cache
def _may_rename() -> bool:
    return shutil.which("unshare") is not None and subprocess.run([*_unshare(), "true"], check=False).returncode == 0


def _unshare() -> list[str]:
    return ["unshare", "--uts", *(["--map-root-user"] if os.geteuid() else [])]


def lines_of(program: str, mark: str, prelude: str = PRELUDE) -> list[int]:
    """The numbers of the lines that end with a comment."""
    lines = (prelude + program).splitlines()
    return [number for number, line in enumerate(lines, 1) if line.endswith(f"# {mark}")]


def _ended(started: Sequence[subprocess.Popen[bytes]], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    for process in started:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
    return True


def _kill(mark: str) -> None:
    for pid in processes_of(mark):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _left(mark: str, address: str) -> tuple[str, ...]:
    """Processes and ledgers that outlive the job."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = [*processes_of(mark).values(), *_ledgers(address)]
        if not found or time.monotonic() > deadline:
            return tuple(found)
        time.sleep(0.1)


def _ledgers(address: str) -> list[str]:
    found = []
    for path in Path("/dev/shm").glob("jaxmpi-sanitize.*.jax-*/ledger"):
        with suppress(OSError), path.open("rb") as file:
            if address.encode() in file.read(4096):
                found.append(str(path))
    return found
