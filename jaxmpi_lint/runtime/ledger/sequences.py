"""A snapshot of the launch ledger as plain data: the launches of this host's processes of a JAX job."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jaxmpi_lint.runtime.ledger.reader import site
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Site, Snapshot

LANES = 1024
"""Lane numbers reserved for each host; this host has the first ones."""

GONE = frozenset({"left", "ended", "dead"})


@dataclass(frozen=True, slots=True)
class Program:
    """An executable of one process."""

    place: int
    name: str  # "jit(step)"
    signature: int
    program: int  # 0: unknown
    partners: frozenset[int]  # processes that must launch it too


@dataclass(frozen=True, slots=True)
class Item:
    """The item that a loop over a set uses in a launch."""

    text: str  # "arrays['density']"
    choices: int  # hash of the dictionary


@dataclass(frozen=True, slots=True)
class Record:
    """A launch."""

    sequence: int  # index on its device set, from 0
    when: float
    set: int
    program: Program | None
    site: Site | None
    held: bool
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class Process:
    """A process of the job; its rank is its index."""

    lane: int
    index: int
    process: int
    state: str  # "running", "left", "ended", "dead", "blind"
    alive: bool
    raised: bool
    farewell: str
    counts: tuple[int, ...]  # launches on each device set
    launches: int
    exit_status: int | None = None
    aborts: bool = False  # it waits for the monitor's answer to its abort, or for its end

    @property
    def gone(self) -> bool:
        """Whether it will launch nothing more."""
        return self.state in GONE

    def count(self, number: int) -> int:
        """The number of its launches on a device set."""
        return self.counts[number] if number < len(self.counts) else 0


@dataclass(frozen=True, slots=True)
class Found:
    """A difference that a process detected between its launch and that of another process."""

    kind: str  # "collectives", "item", "program"
    lane: int
    set: int
    sequence: int


@dataclass(frozen=True, slots=True)
class Sequences:
    """The state of all processes."""

    taken: float
    expected: int
    job: str
    host: str
    library: str
    overtaken: int
    unrecorded: int
    unagreed: int  # with `strict`: launches that began before all processes had reached them
    processes: tuple[Process, ...]
    sets: tuple[str, ...]
    keys: tuple[int, ...]  # of the device sets, the same on all hosts
    findings: tuple[Found, ...]

    def of(self, index: int) -> Process | None:
        """The process with an index, if it is checked."""
        return next((one for one in self.processes if one.index == index and one.state != "blind"), None)

    def as_snapshot(self) -> Snapshot:
        """The processes and how they ended, for reports. Process ids of other hosts are omitted."""
        ranks = tuple(replace(as_rank(one), process=0) if is_remote(one) else as_rank(one) for one in self.processes)
        return Snapshot(
            self.taken, True, self.expected, self.job, self.host, self.library, ranks, (), (), False, False, ()
        )


def is_remote(process: Process) -> bool:
    """Whether a process is on another host."""
    return process.lane >= LANES


def as_rank(one: Process) -> Rank:
    """A process as a rank of the job."""
    states = {"left": "finalized", "ended": "finalized", "dead": "vanished"}
    return Rank(
        one.index, one.lane, one.process, states.get(one.state, "running"), one.alive, one.exit_status, one.raised,
        one.farewell, True, 0, False, (),
    )  # fmt: skip


def read(fields: Mapping[str, Any], taken: float, statuses: Mapping[int, int | None]) -> Sequences:
    """Sequences from the native reader; `statuses`: exit statuses by lane, as far as known."""
    processes = tuple(
        Process(**{**one, "counts": tuple(one["counts"])}, exit_status=statuses.get(one["lane"]))
        for one in fields["processes"]
    )
    return Sequences(
        **{
            **fields,
            "taken": taken,
            "processes": processes,
            "sets": tuple(fields["sets"]),
            "keys": tuple(fields["keys"]),
            "findings": tuple(Found(**one) for one in fields["findings"]),
        }
    )


def record(fields: Mapping[str, Any]) -> Record:
    """A record from the native reader."""
    program = fields["program"]
    known = Program(**{**program, "partners": frozenset(program["partners"])}) if program is not None else None
    where, item = fields["site"], fields["item"]
    chosen = Item(*item) if item is not None else None
    return Record(**{**fields, "program": known, "site": site(_complete(where)), "item": chosen})


def _complete(fields: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A line of Python with the fields that only places of MPI calls have."""
    if fields is None:
        return None
    others = {"operand": "", "callers": [], "address": 0, "handled": None}
    return {**fields, **others, "caller": _complete(fields["caller"])}


@dataclass(frozen=True, slots=True)
class Kept:
    """The details of an executable that a process wrote to the job's folder."""

    collectives: tuple[tuple[str, Site | None], ...]
    program: str


@cache
def kept(folder: str, process: int, place: int) -> Kept:
    """The details of an executable; empty if there are none."""
    try:
        with open(os.path.join(folder, f"{process}-{place}.json"), encoding="utf-8") as file:
            fields = json.load(file)
    except (OSError, ValueError):
        return Kept((), "")
    collectives = tuple(
        (one["what"], Site(one["file"], one["line"], one["function"]) if one["file"] else None)
        for one in fields["collectives"]
    )
    return Kept(collectives, fields["program"])


History = Callable[[Process], Sequence[Record]]
"""The last launches of a process, the newest last."""
Details = Callable[[Process, Program], Kept]
