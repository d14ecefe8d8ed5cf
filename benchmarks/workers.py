"""Worker processes that check programs one after the other, under limits of time and memory, and may crash."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import sys
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from checks import Verdict

WALL = 30  # multiple of the limit of CPU time after which a sleeping worker is stopped


@dataclass(slots=True)
class Worker:
    """One process; a new one is started when it has died."""

    seconds: float
    megabytes: int
    _process: SpawnProcess | None = None
    _pipe: Connection | None = field(default=None, repr=False)

    def check(self, name: str, data: bytes) -> Verdict:
        """The verdict on the program, a crash or an endless run included."""
        pipe = self._connected()
        try:
            pipe.send((name, data))
            if pipe.poll(self.seconds * WALL):
                verdict: Verdict = pipe.recv()
                return verdict
        except (EOFError, ConnectionError):
            pass
        return self._death()

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
            self._process = self._pipe = None

    def _connected(self) -> Connection:
        if self._pipe is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(other, self.seconds, self.megabytes), daemon=True)
            self._process.start()
            other.close()
        return self._pipe

    def _death(self) -> Verdict:
        from checks import Verdict  # noqa: PLC0415 - only the workers need the linter

        process = self._process
        if process is not None:
            process.join(1)
        status = process.exitcode if process is not None else None
        self.close()
        if status is None or status == -signal.SIGPROF:
            return Verdict("analysed", failures=(f"hang: no end after {self.seconds:g} s",))
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return Verdict("analysed", failures=(f"crash by {how}: the process died",))


def _serve(pipe: Connection, seconds: float, megabytes: int) -> None:
    """Check received programs; SIGPROF, sent after this much CPU time, ends the process even inside native code."""
    from checks import check  # noqa: PLC0415

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000, megabytes * 1_000_000))
    while True:
        try:
            name, data = pipe.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        verdict = check(name, data)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(verdict)
