"""Alternating jobs: while one measures, the others sleep, so that all run under the same conditions.

A rank reads a byte from the pipe `$TURNS/<rank>` before each turn, "g" to start and "e" to end; rank 0 writes its
measurement to the pipe `$TURNS/told`, a line for each turn.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from launching import THREADS, environment

RANKS = 2
LIMIT = 300.0  # seconds of a turn


class Ended(RuntimeError):
    """The job ended before its turn was over, or took too long."""


class Job:
    """A job of two ranks, waiting for its first turn."""

    def __init__(self, command: Sequence[str], variables: Mapping[str, str], folder: Path) -> None:
        folder.mkdir()
        names = [folder / name for name in (*map(str, range(RANKS)), "told")]
        for name in names:
            os.mkfifo(name)
        # For reading and writing, since opening for one alone would wait for the other end.
        *self._goes, self._told = [os.open(name, os.O_RDWR) for name in names]
        env = environment({**THREADS, **variables, "TURNS": str(folder)})
        self._command, self._log = " ".join(command), folder / "log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        self.turn()

    def turn(self) -> float:
        """The measurement of rank 0 in this turn."""
        self._say(b"g")
        waited, line = 0.0, b""
        while not line.endswith(b"\n"):
            if select.select([self._told], [], [], 0.5)[0]:
                line += os.read(self._told, 64)
            elif self._process.poll() is not None or (waited := waited + 0.5) > LIMIT:
                self._process.terminate()
                self._close()
                raise Ended(f"{self._command}\n{self._log.read_text()}")
        return float(line)

    def end(self) -> None:
        """End the job regularly; SystemExit if it fails."""
        self._say(b"e")
        status = self._process.wait(timeout=LIMIT)
        self._close()
        if status:
            raise SystemExit(f"error: a job ended with {status}\n{self._log.read_text()}")

    def _close(self) -> None:
        for pipe in (*self._goes, self._told):
            os.close(pipe)

    def _say(self, word: bytes) -> None:
        for pipe in self._goes:
            os.write(pipe, word)
