"""Ledgers of jobs on this host, as plain data: from shared memory while the job runs, or from a stored copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jaxmpi_lint.runtime.ledger import excerpt, folders
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import (
    Channel,
    Communicator,
    DistantPart,
    Handled,
    Lane,
    Rank,
    RawFinding,
    Record,
    Signature,
    Site,
    Snapshot,
    Thread,
    Wait,
)

Fields = Mapping[str, Any]


def site(fields: Fields | None) -> Site | None:
    """A call site with its callers."""
    if fields is None:
        return None
    callers = tuple(caller for one in fields["callers"] if (caller := site(one)) is not None)
    passed = site(fields["handled"])
    handled = Handled(passed.operand, replace(passed, operand="")) if passed is not None else None
    outer = site(fields["caller"])
    if fields["address"]:
        return NativeSite(fields["file"], fields["function"], fields["address"], outer, callers, handled)
    return Site(fields["file"], fields["line"], fields["function"], outer, fields["operand"], callers, handled)


class Sites:
    """The call sites of one snapshot, in which the native reader describes each of them once."""

    def __init__(self) -> None:
        self._made: dict[int, Site | None] = {}  # by the identity of the fields, which the snapshot keeps alive

    def __call__(self, fields: Fields | None) -> Site | None:
        """A call site with its callers."""
        if fields is None:
            return None
        if id(fields) not in self._made:
            self._made[id(fields)] = site(fields)
        return self._made[id(fields)]


def signature(fields: Fields | None) -> Signature | None:
    """The arguments of a collective on one rank."""
    return None if fields is None else Signature(**fields)


def thread(fields: Fields, site: Callable[[Fields | None], Site | None] = site) -> Thread:
    """One thread of a rank."""
    return Thread(
        **{
            **fields,
            "site": site(fields["site"]),
            "waits": tuple(Wait(**wait) for wait in fields["waits"]),
            "signature": signature(fields["signature"]),
        }
    )


def communicator(fields: Fields, site: Callable[[Fields | None], Site | None] = site) -> Communicator:
    """A communicator with the lanes of its local ranks."""
    lanes = tuple(
        Lane(**{**lane, "site": site(lane["site"]), "checkpoints": tuple(map(tuple, lane["checkpoints"]))})
        for lane in fields["lanes"]
    )
    return Communicator(**{**fields, "lanes": lanes, "remote": tuple(fields["remote"])})


def record(fields: Fields) -> Record:
    """One call of a history."""
    return Record(**{**fields, "site": site(fields["site"]), "signature": Signature(**fields["signature"])})


def finding(fields: Fields) -> RawFinding:
    """A difference that one rank detected."""
    kept = {name: value for name, value in fields.items() if name != "places"}
    return RawFinding(
        **{
            **kept,
            "text": _with_lines(fields["text"], fields["places"]),
            "site": site(fields["site"]),
            "other_site": site(fields["other_site"]),
            "mine": signature(fields["mine"]),
            "theirs": signature(fields["theirs"]),
        }
    )


def _with_lines(text: str, places: Mapping[Any, Fields | None]) -> str:
    """The text with lines of compiled code, of which the rank itself knows only the instruction."""
    for index, fields in places.items():
        where = site(fields)
        line = "an unknown line" if where is None else excerpt.line(where, folder=False)
        text = text.replace(f"<site {index}>", line)
    return text


def snapshot_of(fields: Fields) -> Snapshot:
    """A snapshot from the native reader of this host, or of another one. KeyError or TypeError if it is none."""
    site = Sites()
    ranks = tuple(
        Rank(**{**rank, "threads": tuple(thread(one, site) for one in rank["threads"])}) for rank in fields["ranks"]
    )
    return Snapshot(
        **{
            **fields,
            "ranks": ranks,
            "communicators": tuple(communicator(one, site) for one in fields["communicators"]),
            "channels": tuple(Channel(**{**channel, "site": site(channel["site"])}) for channel in fields["channels"]),
            "findings": tuple(finding(f) for f in fields["findings"]),
        }
    )


class Ledger:
    """The ledger of a job on this host: live at the path of its segment, or stored in a folder.

    RuntimeError if there is none that this version can read.
    """

    def __init__(self, path: str | Path) -> None:
        from jaxmpi_lint.runtime import _native

        place = Path(path)
        with folders.unpacked(folders.ledger(place) if place.is_dir() else place) as plain:
            native = _native.Ledger(str(plain))
        self.path = native.path
        self.options = native.options
        self.directory = native.directory
        self.started = native.started
        self.claim = native.claim
        self.wait = native.wait
        self.ask_stacks = native.ask_stacks
        self.dealt_with = native.dealt_with
        self.suppress = native.suppress
        self.mark_vanished = native.mark_vanished
        self.release = native.release
        self.unite = native.unite
        self.agree = native.agree
        self.span_hashes = native.span_hashes
        self.end = native.end
        self.local_alive = self.ranks_alive = native.local_alive
        self.copy = native.copy
        self.unlink = native.unlink
        self._native = native

    @property
    def closing(self) -> bool:
        """Whether all ranks are in MPI_Finalize, or gone, and wait for `release`."""
        return self._native.closing

    @property
    def looked(self) -> float:
        """When the monitor last looked, on the clock of a snapshot."""
        return self._native.looked

    def snapshot(self) -> Snapshot:
        """The current contents."""
        return snapshot_of(self.fields())

    def fields(self) -> Fields:
        """The current contents as the native reader returns them: dictionaries, lists, numbers and texts."""
        found: Fields = self._native.snapshot()
        return found

    def history(self, rank: int, count: int) -> tuple[Record, ...]:
        """The last calls of a world rank, the latest last."""
        return tuple(record(fields) for fields in self.history_fields(rank, count))

    def distant_parts(self, rank: int, count: int) -> tuple[DistantPart, ...]:
        """The last parts of collectives with counts that a world rank exchanged with other hosts."""
        return tuple(DistantPart(**fields) for fields in self._native.distant_parts(rank, count))

    def formers(self, rank: int, count: int) -> tuple[Communicator, ...]:
        """The last communicators with members on other hosts that a world rank has freed, each with its lane."""
        return tuple(communicator(fields) for fields in self._native.formers(rank, count))

    def history_fields(self, rank: int, count: int) -> Sequence[Fields]:
        """The same as the native reader returns it."""
        found: Sequence[Fields] = self._native.history(rank, count)
        return found


@dataclass(frozen=True, slots=True)
class Job:
    """A job of this user on this host that has a ledger."""

    folder: Path
    ledger: Path


def jobs() -> tuple[Job, ...]:
    """All jobs, including those that have ended without removing their ledger."""
    from jaxmpi_lint.runtime import _native

    return tuple(Job(Path(folder), Path(ledger)) for folder, ledger in _native.jobs())


def live_jobs() -> tuple[Job, ...]:
    """The jobs with a running rank."""
    return tuple(job for job in jobs() if _alive(job))


def left_jobs() -> tuple[Job, ...]:
    """The jobs that have ended, and whose ledger nobody has removed: the next job on this host will."""
    return tuple(job for job in jobs() if not _alive(job))


def _alive(job: Job) -> bool:
    try:
        return Ledger(job.ledger).local_alive() > 0
    except RuntimeError:
        return False
