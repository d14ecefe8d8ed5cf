"""A tree of monitors: leaves that lead others, over real sockets, and in jobs on five hosts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest
from sanitizer.environments import Environment
from sanitizer.snapshots import communicator, job, noticed, rank, record, signature

from jaxmpi_lint.runtime.hosts import tree
from jaxmpi_lint.runtime.hosts.events import Events
from jaxmpi_lint.runtime.hosts.joined import JoinedLedger
from jaxmpi_lint.runtime.hosts.leaf import Leaf
from jaxmpi_lint.runtime.hosts.meeting import Offer, Peer
from jaxmpi_lint.runtime.hosts.root import Root
from jaxmpi_lint.runtime.hosts.sockets import Client, Keys, Server
from jaxmpi_lint.runtime.hosts.tree import Place
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, RawFinding, Snapshot

from .conftest import Hosts
from .jobs import run_on_two
from .test_joined import Book, NoDeaths

SOON = 10.0
SUM = signature("MPI_Allreduce", "float", 8, 4)


def soon(holds: Callable[[], bool]) -> bool:
    """Whether it holds after a while."""
    until = time.monotonic() + SOON
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


def with_checkpoints(one: Communicator) -> Communicator:
    return replace(one, lanes=tuple(replace(lane, checkpoints=((1, 5), (2, 6))) for lane in one.lanes))


def ledger(number: int, hosts: int, findings: tuple[RawFinding, ...] = ()) -> Snapshot:
    """A host with two ranks."""
    numbers = (2 * number, 2 * number + 1)
    both = communicator([3, 3], index=number, members=numbers)
    whole = replace(both, id=77, size=2 * hosts)
    pair = replace(both, index=number + 50, id=100 + number // 2, size=4)  # of hosts 2 and 3, 4 and 5, ...
    own = replace(both, index=number + 90, id=200 + number)
    made = job(
        *map(rank, numbers), world_size=2 * hosts, host=f"node{number}",
        communicators=tuple(map(with_checkpoints, (whole, pair, own))),
    )  # fmt: skip
    return replace(made, findings=findings, taken=time.monotonic())


def book(number: int, hosts: int) -> Book:
    past = {one: [record(1, one, "Allreduce", communicator=number)] for one in (2 * number, 2 * number + 1)}
    found = noticed("root", SUM, SUM, communicator=number, rank=2 * number, other=None)
    return Book(
        [ledger(number, hosts), ledger(number, hosts, (found,))], histories=past, stacks={2 * number: f"stack {number}"}
    )


@dataclass
class Tree:
    """The monitors of all hosts."""

    root: Root
    books: list[Book]
    reason: str = ""
    places: list[Place] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)

    @property
    def joined(self) -> JoinedLedger:
        return JoinedLedger(self.books[0], self.root)


@contextmanager
def made(hosts: int, fan_out: int) -> Iterator[Tree]:
    keys = [Keys() for _ in range(hosts)]
    books = [book(number, hosts) for number in range(hosts)]
    server = Server(keys[0], "lo")
    peers = [Peer((2 * at, 2 * at + 1), Offer(one.name, (), "", "")) for at, one in enumerate(keys) if at]
    root = Root(server, peers, Events(books[0]), print)
    found = Tree(root, books)

    def play(number: int) -> None:
        client = Client(keys[number], keys[0].name, [f"127.0.0.1:{server.port}"])
        place = Place(keys[number], "lo", books[number], NoDeaths(), "kept", print)
        leaf = Leaf(client, place, f"node{number}")
        found.places.append(place)
        found.leaves.append(leaf)
        if leaf.meet(SOON):
            leaf.serve()
        leaf.close()

    threads = [threading.Thread(target=play, args=(number,)) for number in range(1, hosts)]
    for thread in threads:
        thread.start()
    assert root.meet(SOON) == ""
    found.reason = tree.split(root, fan_out, SOON)
    yield found
    root.bye(found.reason)
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


@pytest.mark.parametrize(("hosts", "fan_out", "asked"), [(4, 3, 3), (6, 2, 2), (15, 2, 2)])
def test_all_hosts_are_one_ledger(hosts: int, fan_out: int, asked: int) -> None:
    with made(hosts, fan_out) as all_of_them:
        assert all_of_them.reason == ""
        joined = all_of_them.joined
        assert len(all_of_them.root.connections) == asked
        whole = joined.snapshot()
        assert whole.consistent
        assert [one.rank for one in whole.ranks] == list(range(2 * hosts))
        assert {one.host for one in whole.ranks} == {f"node{number}" for number in range(hosts)}
        only = next(one for one in whole.communicators if one.id == 77)
        assert [lane.rank for lane in only.lanes] == list(range(2 * hosts))
        last = 2 * hosts - 2
        (call,) = joined.history(last, 10)
        assert (call.rank, call.communicator) == (last, only.index)
        assert joined.ask_stacks(last, 0.1) == f"stack {hosts - 1}"
        assert soon(lambda: joined.wait(0.05) != "" and joined.ranks_alive() == 2 * hosts)


def test_hashes_are_dropped_only_of_communicators_of_one_host() -> None:
    with made(6, 2) as all_of_them:
        whole = all_of_them.joined.snapshot()
        kept = {one.id: {len(lane.checkpoints) for lane in one.lanes} for one in whole.communicators}
        assert [kept[number] for number in (77, 100, 101, 102)] == [{2}] * 4
        assert [kept[number] for number in range(201, 206)] == [{0}] * 5


def test_findings_go_back_to_the_hosts_that_made_them() -> None:
    with made(6, 2) as all_of_them:
        joined = all_of_them.joined
        joined.snapshot()
        ranks = [one.rank for one in joined.snapshot().findings]
        assert sorted(ranks) == [2 * number for number in range(6)]
        joined.suppress(ranks.index(10))
        joined.dealt_with(6)
        assert soon(lambda: all(one.dealt == 1 for one in all_of_them.books))
        assert [one.suppressed for one in all_of_them.books] == [[]] * 5 + [[0]]


def test_all_hosts_end_and_are_released() -> None:
    with made(7, 2) as all_of_them:
        all_of_them.joined.release()
        all_of_them.joined.end(66)
        assert soon(lambda: all(one.released for one in all_of_them.books))
        assert [(one.ended, one.released) for one in all_of_them.books] == [(66, True)] * 7


def test_hosts_are_left_to_themselves_without_a_leader(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("no socket")

    monkeypatch.setattr(Place, "_lead", refused)
    with made(6, 2) as all_of_them:
        expected = "the host of ranks 2 and 3 did not become part of the tree of hosts (OSError: no socket)"
        assert all_of_them.reason == expected
    assert {one.reason for one in all_of_them.leaves if one.reason != expected} == set()


PROGRAM = """
from mpi4py import MPI

world = MPI.COMM_WORLD
world.Barrier()
if world.rank == {odd}:
    world.bcast(1, root=2)
world.allreduce(1)
"""


@pytest.mark.runs_mpi
def test_mismatch_on_the_last_of_five_hosts(mpi: Environment, five: Hosts) -> None:
    result = run_on_two(mpi, five, PROGRAM.format(odd=9), 10, options={"fan_out": 2}, number=5)
    assert "checking 10 ranks" in result.err, str(result)
    assert "rank 9" in result.err, str(result)
    assert result.status == 66, str(result)


@pytest.mark.runs_mpi
def test_correct_job_on_five_hosts(mpi: Environment, five: Hosts) -> None:
    result = run_on_two(mpi, five, PROGRAM.format(odd=-1), 10, options={"fan_out": 2}, number=5)
    assert (result.status, "no findings" in result.err) == (0, True), str(result)
