"""Snapshots made by hand: a job is described in a few words, the rest is filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from jaxmpi_lint.runtime.ledger.snapshot import (
    Channel,
    Communicator,
    DistantPart,
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

WORLD = 0
NOTHING = Signature("", False, False, False, False, False, "nothing", 0, 0, 0, 0, None, None, 0, 0)


def signature(function: str, base: str = "nothing", width: int = 0, elements: int = 0, **more: object) -> Signature:
    """A collective's signature; `more` are its other fields."""
    known = replace(
        NOTHING, function=function, base=base, width=width, elements=elements, bytes=width * elements, count_known=True,
        type_hash=hash((base, width, elements)),
    )  # fmt: skip
    return replace(known, **more)  # type: ignore[arg-type]


def receive(source: int | None, tag: int | None = 0, communicator: int = WORLD, ordinal: int = 0) -> Wait:
    return Wait("receive", True, "none", source, source is None, tag, communicator, ordinal)


def send(to: int, tag: int = 0, communicator: int = WORLD, ordinal: int = 0, kind: str = "standard_send") -> Wait:
    return Wait(kind, kind == "synchronous_send", "none", to, False, tag, communicator, ordinal)


def collective(
    number: int, communicator: int = WORLD, flow: str = "all", root: int | None = None, certain: bool = True
) -> Wait:
    """For the collective of that number, counted from 1; ordinals count from 0."""
    return Wait("collective", certain, flow, root, False, None, communicator, number - 1)


def running(slot: int = 0) -> Thread:
    return Thread(
        slot, 100 + slot, "running", "", "", None, None, 0, 95.0, 1, 2, False, False, (), None, 1.0, False, False
    )


def blocked(
    function: str,
    *waits: Wait,
    slot: int = 0,
    any_of: bool = False,
    site: Site | None = None,
    signed: Signature | None = None,
    **more: object,
) -> Thread:
    inside = next((wait for wait in waits if wait.kind == "collective"), None)
    thread = replace(
        running(slot), activity="blocked", function=f"MPI_{function}", waits=waits, any_of=any_of, site=site,
        signature=signed, communicator=inside.communicator if inside else None, ordinal=inside.ordinal if inside else 0,
    )  # fmt: skip
    return replace(thread, **more)  # type: ignore[arg-type]


def rank(number: int, *threads: Thread, **more: object) -> Rank:
    made = Rank(number, number, 1000 + number, "running", True, None, False, "", True, 1, False, threads)
    return replace(made, **more)  # type: ignore[arg-type]


def lanes(counts: Sequence[int], members: Sequence[int] | None = None) -> tuple[Lane, ...]:
    numbers = list(members if members is not None else range(len(counts)))
    return tuple(
        Lane(number, place, count, hash(count), hash(count), "member", 0, None)
        for place, (number, count) in enumerate(zip(numbers, counts, strict=True))
    )


def communicator(
    counts: Sequence[int], index: int = WORLD, name: str = "MPI_COMM_WORLD", members: Sequence[int] | None = None
) -> Communicator:
    return Communicator(index, 1 + index, 0, 0, len(counts), "intra", False, False, name, lanes(counts, members), ())


def messages(source: int | None, destination: int, tag: int | None = 0, **counts: int) -> Channel:
    sent, received, posted, completed = (counts.get(name, 0) for name in ("sent", "received", "posted", "completed"))
    return Channel(WORLD, source, destination, tag, sent, received, posted, completed)


def job(*ranks: Rank, **more: object) -> Snapshot:
    made = Snapshot(
        100.0, True, len(ranks), "job.1", "node1", "Open MPI 5.0.11", ranks, (communicator([0] * len(ranks)),), (),
        False, False, (),
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


def record(number: int, owner: int, function: str, **more: object) -> Record:
    made = Record(
        number, owner, 0, f"MPI_{function}", "", WORLD, 0, None, None, 0, None, float(number), number + 0.5, 0, NOTHING
    )
    return replace(made, **more)  # type: ignore[arg-type]


def noticed(difference: str, mine: Signature, theirs: Signature, **more: object) -> RawFinding:
    made = RawFinding("mismatch", difference, WORLD, 0, 1, 0, None, None, 100.0, mine, theirs, 0, 0, "")
    return replace(made, **more)  # type: ignore[arg-type]


@dataclass
class FakeBook:
    """A ledger of which the test decides what is in it, look by look."""

    looks: list[Snapshot]
    options: str = ""
    histories: Mapping[int, Sequence[Record]] = field(default_factory=dict)
    stacks: Mapping[int, str] = field(default_factory=dict)
    parts: Mapping[int, Sequence[DistantPart]] = field(default_factory=dict)
    freed: Mapping[int, Sequence[Communicator]] = field(default_factory=dict)
    ended: int | None = None
    released: bool = False
    dealt: int = 0
    vanished: list[int] = field(default_factory=list)
    suppressed: list[int] = field(default_factory=list)
    united: bool | None = None
    agreed: list[list[tuple[int, int]]] = field(default_factory=list)

    def snapshot(self) -> Snapshot:
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]

    def history(self, rank: int, count: int) -> Sequence[Record]:
        return self.histories.get(rank, ())[-count:]

    def distant_parts(self, rank: int, count: int) -> Sequence[DistantPart]:
        return self.parts.get(rank, ())[-count:]

    def formers(self, rank: int, count: int) -> Sequence[Communicator]:
        return self.freed.get(rank, ())[-count:]

    def span_hashes(self, identity: int, begin: int, end: int) -> Sequence[tuple[int, int]]:
        """Of all ranks that have entered as much as that, on the communicator with this identity in the first look."""
        (only,) = (one for one in self.looks[0].communicators if one.id == identity)
        return [(lane.rank, self._hash(lane.rank, only.index, begin, end)) for lane in only.lanes if lane.count >= end]

    def _hash(self, rank: int, communicator: int, begin: int, end: int) -> int:
        past = {one.ordinal: one.signature for one in self.histories.get(rank, ()) if one.communicator == communicator}
        wanted = [past.get(ordinal) for ordinal in range(begin, end)]
        return 0 if None in wanted else abs(hash(tuple(wanted))) + 1

    def wait(self, seconds: float) -> str:
        return "timeout"

    def ask_stacks(self, rank: int, seconds: float) -> str | None:
        return self.stacks.get(rank, "Thread 100 (most recent call first):\n")

    def dealt_with(self, count: int) -> None:
        self.dealt = count

    def suppress(self, index: int) -> None:
        self.suppressed.append(index)

    def mark_vanished(self, rank: int, status: int | None) -> None:
        self.vanished.append(rank)

    def release(self) -> None:
        self.released = True

    def unite(self, together: bool) -> None:
        self.united = together

    def agree(self, counts: Sequence[tuple[int, int]]) -> None:
        self.agreed.append([(identity, count) for identity, count in counts])

    def end(self, exit_code: int, everywhere: bool = False) -> None:
        self.ended = exit_code

    def local_alive(self) -> int:
        return sum(one.alive for one in self.looks[0].ranks)

    def ranks_alive(self) -> int:
        return self.local_alive()

    def copy(self, path: str) -> None:
        pass

    def unlink(self) -> None:
        pass
