"""Jobs of many ranks: what a report shows of them, and what it reads for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import deadlocks, doubts, unstarted
from jaxmpi_lint.runtime.judging.ending import histories_of
from jaxmpi_lint.runtime.judging.wait_for_graph import analyse
from jaxmpi_lint.runtime.ledger.snapshot import Record, Snapshot, Thread
from sanitizer.snapshots import FakeBook, blocked, collective, communicator, job, messages, rank, receive, running

MANY = 1200


class Histories:
    """Counts the histories that are read."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def __call__(self, number: int) -> Sequence[Record]:
        self.read.append(number)
        return ()


def judged(snapshot: Snapshot) -> tuple[list[Finding], Histories]:
    knot, histories = analyse(snapshot), Histories()
    assert knot is not None
    return deadlocks.judge(knot, snapshot, histories), histories


def test_ring() -> None:
    ranks = [rank(one, blocked("Recv", receive((one - 1) % MANY, ordinal=1))) for one in range(MANY)]
    (found,), histories = judged(job(*ranks))
    assert (found.code, len(found.ranks), len(found.steps)) == ("JS201", MANY, MANY)
    assert len(set(histories.read)) <= 70  # `unstarted` reads 64


def test_many_pairs_are_a_few_findings_and_a_note() -> None:
    ranks = [rank(one, blocked("Recv", receive(one ^ 1, ordinal=1))) for one in range(MANY)]
    found, _ = judged(job(*ranks))
    assert [one.ranks for one in found] == [(2 * at, 2 * at + 1) for at in range(20)]
    assert found[-1].notes[-1] == f"{MANY // 2 - 20} more groups of ranks cannot continue either: ranks 40-{MANY - 1}"


def test_groups_that_wait_for_an_ended_rank_come_first() -> None:
    ranks = [rank(one, blocked("Recv", receive(one ^ 1, ordinal=1))) for one in range(MANY - 1)]
    found, _ = judged(job(*ranks, rank(MANY - 1, state="exited", alive=False)))
    assert [one.code for one in found[:2]] == ["JS202", "JS201"]


@pytest.mark.parametrize("count", [32, MANY])
def test_cycle_goes_through_the_one_rank_at_fault(count: int) -> None:
    """The second half waits in a collective for the first half, of which one rank waits for the last one."""
    half = count // 2

    def doing(number: int) -> Thread:
        if number >= half:
            return blocked("Allreduce", collective(5))
        return blocked("Recv", receive(count - 1, ordinal=1)) if number == half - 3 else running()

    counts = [5 if number >= half else 4 for number in range(count)]
    ranks = [rank(number, doing(number)) for number in range(count)]
    (found,), _ = judged(job(*ranks, communicators=(communicator(counts),)))
    assert found.code == "JS208"
    assert {number for step in found.steps for number in step.ranks} == {half - 3, *range(half, count)}


def test_ranks_are_asked_until_some_do_not_respond() -> None:
    asked: list[int] = []

    class Silent(FakeBook):
        def ask_stacks(self, number: int, seconds: float) -> str | None:
            asked.append(number)
            return None if number >= 50 else "Thread 100 (most recent call first):\n"

    found = doubts.of(Silent([]), {number: [100] for number in range(60)}, 0.5)
    assert sorted(found) == list(range(50, 60))
    assert asked == list(range(54))


def test_everyone_waits_for_anyone() -> None:
    (found,), _ = judged(job(*(rank(one, blocked("Recv", receive(None))) for one in range(MANY))))
    assert (found.code, found.ranks) == ("JS201", tuple(range(MANY)))
    assert [step.ranks for step in found.steps] == [(0,), (1,)]


def test_half_waits_in_a_collective_for_a_half_that_receives_from_it() -> None:
    ranks = [
        rank(one, blocked("Allreduce", collective(5)) if one % 2 else blocked("Recv", receive(one + 1, ordinal=1)))
        for one in range(MANY)
    ]
    (found,), histories = judged(job(*ranks, communicators=(communicator([4 + one % 2 for one in range(MANY)]),)))
    assert (found.code, len(found.ranks)) == ("JS208", MANY)
    assert len(set(histories.read)) <= 70  # `unstarted` reads 64


def test_chain_to_a_running_rank_is_no_deadlock() -> None:
    ranks = [rank(one, blocked("Recv", receive(one + 1, ordinal=1))) for one in range(MANY - 1)]
    assert analyse(job(*ranks, rank(MANY - 1, running()))) is None


def test_ranks_inside_a_collective_have_started_it() -> None:
    histories = Histories()
    inside = [rank(one, blocked("Allreduce", collective(5))) for one in range(MANY - 1)]
    whole = job(*inside, rank(MANY - 1, running()), communicators=(communicator([5] * (MANY - 1) + [4]),))
    assert not list(unstarted.collectives(whole, histories))
    assert histories.read == [MANY - 1]


def test_histories_of_many_hosts_are_not_read_at_the_end() -> None:
    def read(count: int) -> int:
        histories = Histories()
        ranks = [replace(rank(one, running()), host=f"node{one // 8}") for one in range(count)]
        histories_of(job(*ranks, channels=(messages(0, 1, sent=1),)), histories)
        return len(histories.read)

    assert (read(MANY), read(400)) == (0, 400)
