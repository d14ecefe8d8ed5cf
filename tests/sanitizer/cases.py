"""What a case is: a program, and what has to come of it.

A program's expected places are written into it: ``#@ rank 1: JS104`` on a line says that the finding names rank 1 at
this line. ``others`` stands for the ranks that no other mark names, ``all`` for every rank, ``but 1`` for all except
rank 1.
"""

from __future__ import annotations

import re
import signal
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

PREAMBLE = """\
import os, signal, sys, threading, time
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
left, right = (rank - 1) % size, (rank + 1) % size
small, large = np.ones(4), np.ones(1 << 20)
space, much = np.zeros(4), np.zeros(1 << 20)

"""
OUTCOMES = frozenset({"ends", "hangs", "fails"})
Alone = str | Mapping[str, str]
MARK = re.compile(r"#@ (?:ranks? )?([\w ]+): (JS\d{3})")


def program(body: str, preamble: str = PREAMBLE) -> str:
    """A whole program: the preamble with the names that all programs share, and the body."""
    return preamble + textwrap.dedent(body).strip("\n") + "\n"


def expected_places(text: str, ranks: int) -> dict[str, set[tuple[int, int]]]:
    """For each code the pairs (rank, line) that the marks of a program name."""
    marks = [
        (number, names.split(), code)
        for number, line in enumerate(text.splitlines(), 1)
        for names, code in MARK.findall(line)
    ]
    named = {int(name) for _, names, _ in marks for name in names if names[0] != "but" and name.isdigit()}
    everybody = set(range(ranks))
    places: dict[str, set[tuple[int, int]]] = {}
    for number, names, code in marks:
        match names:
            case ["all"]:
                who = everybody
            case ["others"]:
                who = everybody - named
            case ["but", *absent]:
                who = everybody - set(map(int, absent))
            case _:
                who = everybody & set(map(int, names))
        places.setdefault(code, set()).update((rank, number) for rank in who)
    return places


def ended_with(openmpi: int, mpich: int) -> tuple[int, ...]:
    """Exit codes of a job that its launcher ends; MPICH's joins those of all ranks, of which it may kill some."""
    return (openmpi, mpich, signal.SIGKILL, mpich | signal.SIGKILL)


def killed_by(number: signal.Signals) -> tuple[int, ...]:
    """Exit codes of a job where the signal killed a rank."""
    return ended_with(128 + number, number)


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong program.

    ``alone`` is what it does without the sanitizer: "ends" (exit 0, maybe with wrong numbers), "hangs" or "fails"; two
    of these where runs differ; by library, or library and number of ranks, where these differ. ``codes`` are further
    codes that may be reported beside or instead of the marked ones; those that are also ``in_part`` may name only some
    of the marked ranks. ``launcher`` holds the exit codes of the job where the launcher ends it itself.
    """

    name: str
    body: str
    alone: Alone
    status: int = 66
    codes: tuple[str, ...] = ()
    in_part: tuple[str, ...] = ()
    launcher: tuple[int, ...] = ()
    ranks: tuple[int, ...] = (2, 4)
    options: Mapping[str, object] = field(default_factory=dict)
    preamble: str = PREAMBLE

    @property
    def text(self) -> str:
        return program(self.body, self.preamble)

    def outcomes(self, library: str, ranks: int) -> set[str]:
        """What may come of it without the sanitizer."""
        if isinstance(self.alone, str):
            return set(self.alone.split())
        return set(self.alone.get(f"{library} {ranks}", self.alone.get(library, "")).split())

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Clean:
    """A correct program: nothing is reported except notes, and it ends as it would alone."""

    name: str
    body: str
    ranks: tuple[int, ...] = (2, 4)
    status: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # codes of info findings that may appear
    libraries: tuple[str, ...] = ("openmpi", "mpich")
    seconds: float = 40.0
    preamble: str = PREAMBLE

    @property
    def text(self) -> str:
        return program(self.body, self.preamble)

    def __str__(self) -> str:
        return self.name
