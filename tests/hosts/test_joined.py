"""A root and a leaf over real sockets, with ledgers made by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
from sanitizer.snapshots import FakeBook, communicator, job, noticed, rank, record, signature

from jaxmpi_lint.runtime.hosts import asking, portable
from jaxmpi_lint.runtime.hosts.events import Event, Events
from jaxmpi_lint.runtime.hosts.joined import Allowance, Effort, JoinedLedger, announcement
from jaxmpi_lint.runtime.hosts.leaf import Leaf
from jaxmpi_lint.runtime.hosts.meeting import Offer, Peer
from jaxmpi_lint.runtime.hosts.root import Root
from jaxmpi_lint.runtime.hosts.sockets import Client, Keys, Server
from jaxmpi_lint.runtime.hosts.tree import Place
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot

SOON = 5.0
SUM = signature("MPI_Allreduce", "float", 8, 4)


@dataclass
class Book(FakeBook):
    """A ledger as a leaf reads it; events come when the test says so."""

    event: threading.Event = field(default_factory=threading.Event)

    def wait(self, seconds: float) -> str:
        happened = self.event.wait(0.05)
        if happened:
            self.event.clear()
        return "alarm" if happened else "timeout"


class NoDeaths(Deaths):
    """Nobody dies."""

    def __init__(self) -> None:
        self.launcher_asks = False

    def launcher_ended(self) -> float | None:
        return None

    def seen(self) -> list[Any]:
        return []

    def ending(self) -> frozenset[int]:
        return frozenset()


def host(name: str, *numbers: int, **more: object) -> Snapshot:
    whole = replace(communicator([3] * len(numbers), members=numbers), id=77, size=4)
    made = job(*map(rank, numbers), world_size=4, host=name, communicators=(whole,))
    return replace(made, **more)  # type: ignore[arg-type]


@dataclass
class Pair:
    """The ledgers of two hosts, and the one of both."""

    own: Book
    other: Book
    joined: JoinedLedger
    leaf: Leaf
    said: list[str]


@contextmanager
def pair(own: Book, other: Book, clock: Callable[[], float] = time.monotonic) -> Iterator[Pair]:
    keys, theirs, said = Keys(), Keys(), list[str]()
    server = Server(keys, "lo")
    root = Root(server, [Peer((2, 3), Offer(theirs.name, (), "", ""))], Events(own), said.append, clock)
    client = Client(theirs, keys.name, [f"127.0.0.1:{server.port}"])
    leaf = Leaf(client, Place(theirs, "lo", other, NoDeaths(), "kept", said.append), "b")

    def play() -> None:
        if leaf.meet(SOON):
            leaf.serve()
        leaf.close()

    thread = threading.Thread(target=play)
    thread.start()
    assert root.meet(SOON) == ""
    yield Pair(own, other, JoinedLedger(own, root), leaf, said)
    root.bye()
    thread.join(SOON)
    assert not thread.is_alive()


def test_both_hosts_are_one_ledger() -> None:
    past = {3: [record(1, 3, "Allreduce", signature=SUM)]}
    with pair(Book([host("a", 0, 1)]), Book([host("b", 2, 3)], histories=past, stacks={2: "stack"})) as two:
        whole = two.joined.snapshot()
        assert [one.rank for one in whole.ranks] == [0, 1, 2, 3]
        assert whole.consistent
        (only,) = whole.communicators
        (call,) = two.joined.history(3, 10)
        assert (call.function, call.communicator) == ("MPI_Allreduce", only.index)
        assert two.joined.ask_stacks(2, 0.1) == "stack"
        assert two.joined.ranks_alive() == 4


@dataclass
class LeavingBook(Book):
    """A host whose ranks leave when they are ended."""

    def local_alive(self) -> int:
        return 0 if self.ended is not None else 2

    def ranks_alive(self) -> int:
        return 2  # the leader is told later


def test_a_leader_waits_for_its_own_ranks_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hosts have waited for theirs, and tell how many are left at times only."""

    def pauses(seconds: float) -> None:
        raise AssertionError(f"waits {seconds} s")

    clock = SimpleNamespace(monotonic=time.monotonic, sleep=pauses)
    with pair(LeavingBook([host("a", 0, 1)]), LeavingBook([host("b", 2, 3)])) as two:
        assert two.joined.ranks_alive() == 4
        monkeypatch.setattr(asking, "time", clock)
        asking.Answers(two.joined, NoDeaths(), "").answer("end", [66, True])
        assert (two.own.ended, two.other.ended) == (66, 66)


@dataclass
class SlowBook(Book):
    """A ledger whose first snapshot reaches a root that was stopped meanwhile: its clock has gone on."""

    stopped: float = 0.0

    def snapshot(self) -> Snapshot:
        found = super().snapshot()
        self.stopped = 30.0
        return found


def test_an_answer_from_before_the_root_was_stopped_does_not_count() -> None:
    other = SlowBook([host("b", 2, 3)])
    with pair(Book([host("a", 0, 1)]), other, lambda: time.monotonic() + other.stopped) as two:
        assert [one.rank for one in two.joined.snapshot().ranks] == [0, 1]
        until = time.monotonic() + SOON
        while len(two.joined.snapshot().ranks) < 4 and time.monotonic() < until:
            two.joined.wait(0.1)
        assert [one.rank for one in two.joined.snapshot().ranks] == [0, 1, 2, 3]


def test_findings_keep_their_order_and_their_hosts() -> None:
    first = noticed("root", SUM, SUM, rank=2, other=3)
    later = noticed("kind", SUM, SUM, rank=0, other=1)
    own = Book([host("a", 0, 1), host("a", 0, 1, findings=(later,))])
    with pair(own, Book([host("b", 2, 3, findings=(first,))])) as two:
        assert [one.difference for one in two.joined.snapshot().findings] == ["root"]
        assert [one.difference for one in two.joined.snapshot().findings] == ["root", "kind"]
        two.joined.suppress(0)
        two.joined.suppress(1)
        two.joined.dealt_with(2)
        until = time.monotonic() + SOON
        while two.other.dealt != 1 and time.monotonic() < until:
            time.sleep(0.01)
        assert (two.own.suppressed, two.own.dealt) == ([0], 1)
        assert (two.other.suppressed, two.other.dealt) == ([0], 1)


def test_all_hosts_end_and_are_released() -> None:
    with pair(Book([host("a", 0, 1)]), Book([host("b", 2, 3)])) as two:
        two.joined.release()
        two.joined.end(66)
        assert (two.own.ended, two.other.ended) == (66, 66)
        assert (two.own.released, two.other.released) == (True, True)


def test_leaf_that_connects_again_is_told_again() -> None:
    """Ranks wait in MPI_Finalize for this: it must not be lost with a connection."""
    with pair(Book([host("a", 0, 1)]), Book([host("b", 2, 3)])) as two:
        two.joined.snapshot()
        (connection,) = two.joined.root.connections.values()
        connection.address = b"gone"
        two.joined.release()
        until = time.monotonic() + SOON
        while not two.other.released and time.monotonic() < until:
            two.joined.wait(0.1)
        assert two.other.released


def test_event_on_a_leaf_wakes_the_root() -> None:
    other = Book([host("b", 2, 3)])
    with pair(Book([host("a", 0, 1)]), other) as two:
        other.event.set()
        assert two.joined.wait(SOON) == "alarm"


def test_host_with_a_damaged_answer_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = Book([host("b", 2, 3)])
    with pair(Book([host("a", 0, 1)]), damaged) as two:
        two.joined.snapshot()
        monkeypatch.setattr(portable, "packed_snapshot", lambda snapshot: {"ranks": [], "communicators": []})
        whole = two.joined.snapshot()
        assert [one.rank for one in whole.ranks] == [0, 1]
        assert not whole.consistent


def test_allowance_is_a_rate_with_a_burst() -> None:
    now = [0.0]
    allowance = Allowance(lambda: now[0])
    allowance.use(60_000)
    assert allowance.seconds() == 0
    allowance.use(60_000)
    first = allowance.seconds()
    assert first == pytest.approx((120_000 - 65_536) / 1024)
    now[0] = first
    assert allowance.seconds() == 0


def test_rest_grows_with_the_effort_of_a_look() -> None:
    used = iter([100.0, 103.0, 103.0, 103.0, 103.04, 103.04, 103.04, 106.0, 106.0, 106.0, 109.0])
    effort = Effort(lambda: next(used))
    assert effort.seconds() == 0.0  # what came before the first look does not count
    effort.begin()
    assert effort.seconds() == 0.0
    effort.begin()
    assert effort.seconds() == pytest.approx(8.0)
    effort.begin()
    assert effort.seconds() == pytest.approx(8.0)
    effort.begin()
    assert effort.seconds() == 15.0


def test_all_hosts_learn_that_ranks_agree() -> None:
    with pair(Book([host("a", 0, 1)]), Book([host("b", 2, 3)])) as two:
        two.joined.agree([(77, 3)])
        two.joined.unite(False)
        until = time.monotonic() + SOON
        while two.other.united is None and time.monotonic() < until:
            time.sleep(0.01)
        assert (two.own.agreed, two.own.united) == ([[(77, 3)]], False)
        assert (two.other.agreed, two.other.united) == ([[(77, 3)]], False)


def test_urgent_events_do_not_wait() -> None:
    with pair(Book([host("a", 0, 1)]), Book([host("b", 2, 3)])) as two:
        two.other.event.set()
        begun = time.monotonic()
        assert two.joined.root.wait(SOON, least=SOON) is Event.URGENT
        assert time.monotonic() - begun < SOON / 2


def test_first_line() -> None:
    whole, part = host("2 hosts (a, b)", 0, 1, 2, 3), host("a", 0, 1)
    assert announcement(whole, "values").endswith("on 2 hosts (a, b); not checked: values")
    assert announcement(part, "values", "no socket").endswith(
        "on a; not checked: agreement with the 2 ranks on other hosts (no socket), values"
    )
