"""Who is stuck for good in a snapshot, and who may still go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jaxmpi_lint.runtime.judging.wait_for_graph import analyse
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot
from sanitizer.snapshots import (
    WORLD,
    blocked,
    collective,
    communicator,
    job,
    lanes,
    messages,
    rank,
    receive,
    running,
    send,
)


def stuck(snapshot: Snapshot, possible: bool = False, doubtful: tuple[int, ...] = ()) -> tuple[int, ...]:
    knot = analyse(snapshot, doubtful, possible)
    return knot.ranks if knot else ()


RECV_RECV = job(rank(0, blocked("Recv", receive(1))), rank(1, blocked("Recv", receive(0))))
BARRIER = blocked("Barrier", collective(1))
SEND_SEND = job(rank(0, blocked("Send", send(1, ordinal=1))), rank(1, blocked("Send", send(0, ordinal=1))))


def test_two_receives_wait_for_each_other() -> None:
    assert stuck(RECV_RECV) == (0, 1)


def test_running_rank_may_still_send() -> None:
    assert stuck(job(rank(0, blocked("Recv", receive(1))), rank(1, running()))) == ()


def test_chain_to_a_running_rank_is_live() -> None:
    chain = job(rank(0, blocked("Recv", receive(1))), rank(1, blocked("Recv", receive(2))), rank(2, running()))
    assert stuck(chain) == ()


def test_chain_into_a_cycle_is_stuck() -> None:
    both = [rank(1, blocked("Recv", receive(2))), rank(2, blocked("Recv", receive(1)))]
    assert stuck(job(rank(0, blocked("Recv", receive(1))), *both, rank(3, running()))) == (0, 1, 2)


def test_unconsumed_message_frees_a_receive() -> None:
    assert stuck(replace(RECV_RECV, channels=(messages(1, 0, sent=1),))) == ()


def test_message_of_another_tag_frees_nobody() -> None:
    assert stuck(replace(RECV_RECV, channels=(messages(1, 0, tag=5, sent=1),))) == (0, 1)


def test_consumed_messages_free_nobody() -> None:
    assert stuck(replace(RECV_RECV, channels=(messages(1, 0, sent=3, received=3),))) == (0, 1)


def test_ordinal_tells_that_the_message_is_for_an_earlier_receive() -> None:
    waiting = job(rank(0, blocked("Recv", receive(1, ordinal=2))), rank(1, blocked("Recv", receive(0))))
    assert stuck(replace(waiting, channels=(messages(1, 0, sent=1, posted=2),))) == (0, 1)


def test_receive_without_an_ordinal_may_take_any_message() -> None:
    waiting = job(rank(0, blocked("Recv", receive(1, ordinal=0))), rank(1, blocked("Recv", receive(0))))
    assert stuck(replace(waiting, channels=(messages(1, 0, sent=1, posted=2),))) == ()


def test_any_source_needs_everybody_to_be_stuck() -> None:
    anybody = blocked("Recv", receive(None, None))
    assert stuck(job(rank(0, anybody), rank(1, running()), rank(2, anybody))) == ()
    assert stuck(job(rank(0, anybody), rank(1, anybody), rank(2, anybody))) == (0, 1, 2)


def test_full_message_table_proves_nothing() -> None:
    assert stuck(replace(RECV_RECV, channels_overflow=True)) == ()


@pytest.mark.parametrize("state", ["finalizing", "finalized", "exited", "aborted", "vanished"])
def test_receive_from_a_rank_that_left(state: str) -> None:
    knot = analyse(job(rank(0, blocked("Recv", receive(1))), rank(1, running(), state=state)))
    assert knot is not None
    assert (knot.ranks, knot.left) == ((0,), (1,))


def test_dead_rank_has_left() -> None:
    assert stuck(job(rank(0, blocked("Recv", receive(1))), rank(1, running(), alive=False))) == (0,)


def test_message_sent_before_leaving_still_arrives() -> None:
    left = job(rank(0, blocked("Recv", receive(1))), rank(1, state="finalized"))
    assert stuck(replace(left, channels=(messages(1, 0, sent=1),))) == ()


def test_standard_sends_count_only_as_possible_waits() -> None:
    assert stuck(SEND_SEND) == ()
    assert stuck(SEND_SEND, possible=True) == (0, 1)


def test_posted_receive_frees_a_send() -> None:
    posted = replace(SEND_SEND, channels=(messages(0, 1, sent=1, posted=1), messages(1, 0, sent=1)))
    assert stuck(posted, possible=True) == ()


def test_posted_wildcard_frees_a_send() -> None:
    posted = replace(SEND_SEND, channels=(messages(0, 1, sent=1), messages(None, 1, None, posted=1)))
    assert stuck(posted, possible=True) == ()


def test_synchronous_sends_are_certain() -> None:
    one = blocked("Ssend", send(1, kind="synchronous_send"))
    other = blocked("Ssend", send(0, kind="synchronous_send"))
    assert stuck(job(rank(0, one), rank(1, other))) == (0, 1)


def test_barrier_waits_for_those_that_have_not_come() -> None:
    waiting = job(rank(0, BARRIER), rank(1, blocked("Recv", receive(0))), communicators=(communicator([1, 0]),))
    assert stuck(waiting) == (0, 1)
    knot = analyse(waiting)
    assert knot is not None
    assert knot.stuck[0].needs[0].ranks == (1,)


def test_barrier_in_which_everybody_is_goes_on() -> None:
    assert stuck(job(rank(0, BARRIER), rank(1, BARRIER), communicators=(communicator([1, 1]),))) == ()


def test_barrier_with_a_rank_that_left() -> None:
    left = job(rank(0, BARRIER), rank(1, state="finalizing"), communicators=(communicator([1, 0]),))
    assert stuck(left) == (0,)


def test_barrier_with_members_on_another_host_is_not_judged() -> None:
    world = replace(communicator([1, 0]), size=4)
    assert stuck(job(rank(0, BARRIER), rank(1, state="finalized"), communicators=(world,))) == ()


def test_root_of_a_broadcast_does_not_wait_for_sure() -> None:
    root = blocked("Bcast", collective(1, flow="from_root", root=0, certain=False))
    leaf = blocked("Bcast", collective(1, flow="from_root", root=0))
    behind = (communicator([1, 0]),)
    assert stuck(job(rank(0, root), rank(1, state="finalized"), communicators=behind)) == ()
    assert stuck(job(rank(0, state="finalized"), rank(1, leaf), communicators=(communicator([0, 1]),))) == (1,)


def test_scan_waits_for_lower_ranks_only() -> None:
    scan = blocked("Scan", collective(1, flow="prefix"))
    counts = communicator([1, 1, 0])
    assert stuck(job(rank(0, scan), rank(1, scan), rank(2, state="exited"), communicators=(counts,))) == ()
    counts = communicator([0, 1, 1])
    assert stuck(job(rank(0, state="exited"), rank(1, scan), rank(2, scan), communicators=(counts,))) == (1, 2)


def test_neighbourhood_is_stuck_only_without_anybody() -> None:
    near = blocked("Neighbor_alltoall", collective(1, flow="neighbourhood"))
    one = communicator([1, 1, 0])
    assert stuck(job(rank(0, near), rank(1, near), rank(2, state="exited"), communicators=(one,))) == ()
    none = communicator([1, 0, 0])
    alone = job(rank(0, near), rank(1, state="exited"), rank(2, state="exited"), communicators=(none,))
    assert stuck(alone) == (0,)


def test_crossed_communicators() -> None:
    first = blocked("Allreduce", collective(1, 1))
    second = blocked("Allreduce", collective(1, 2))
    both = (communicator([1, 0], 1, "row"), communicator([0, 1], 2, "column"))
    assert stuck(job(rank(0, first), rank(1, second), communicators=both)) == (0, 1)


def test_intercommunicator_waits_for_the_other_group() -> None:
    wait = blocked("Barrier", collective(1, 1))
    pair = replace(communicator([1, 0, 1], 1), kind="inter", remote=(2,))
    assert stuck(job(rank(0, wait), rank(1, state="exited"), rank(2, wait), communicators=(pair,))) == (2,)


def test_one_of_several_is_enough() -> None:
    any_of = blocked("Waitany", receive(1), receive(2), any_of=True)
    assert stuck(job(rank(0, any_of), rank(1, state="exited"), rank(2, running()))) == ()
    assert stuck(job(rank(0, any_of), rank(1, state="exited"), rank(2, state="exited"))) == (0,)


def test_all_of_several_are_needed() -> None:
    all_of = blocked("Waitall", receive(1), receive(2))
    assert stuck(job(rank(0, all_of), rank(1, state="exited"), rank(2, running()))) == (0,)


def test_more_waits_than_are_recorded() -> None:
    any_of = blocked("Waitany", receive(1), any_of=True, waits_overflow=True)
    assert stuck(job(rank(0, any_of), rank(1, state="exited"))) == ()
    all_of = blocked("Waitall", receive(1), waits_overflow=True)
    assert stuck(job(rank(0, all_of), rank(1, state="exited"))) == (0,)


def test_helper_thread_keeps_a_rank_alive() -> None:
    helped = rank(0, blocked("Recv", receive(1)), running(slot=1))
    waiting = rank(1, blocked("Recv", receive(0)))
    assert stuck(job(helped, waiting)) == ()
    assert stuck(job(helped, waiting, rank(2))) == ()


def test_two_stuck_threads_of_a_rank() -> None:
    both = rank(0, blocked("Recv", receive(1)), blocked("Recv", receive(0), slot=1))
    assert stuck(job(both, rank(1, blocked("Recv", receive(0))))) == (0, 1)


def test_receive_from_oneself() -> None:
    assert stuck(job(rank(0, blocked("Recv", receive(0))), rank(1, running()))) == (0,)


def test_threads_that_nobody_knows_of_forbid_proof() -> None:
    assert stuck(RECV_RECV, doubtful=(1,)) == ()


def test_uncertain_rank_forbids_proof() -> None:
    assert stuck(job(rank(0, blocked("Recv", receive(1))), rank(1, blocked("Recv", receive(0)), uncertain=True))) == ()


def test_unchecked_communicator_is_not_judged() -> None:
    world = replace(communicator([0, 0]), unchecked=True)
    assert stuck(replace(RECV_RECV, communicators=(world,))) == ()


def test_unknown_communicator_is_not_judged() -> None:
    assert stuck(replace(RECV_RECV, communicators=())) == ()


def test_polling_rank_is_never_stuck() -> None:
    polling = replace(blocked("Test", receive(1)), activity="polling")
    assert stuck(job(rank(0, polling), rank(1, blocked("Recv", receive(0))))) == ()


def test_receive_on_a_part_of_the_world() -> None:
    pair = replace(communicator([0, 0], 1, "pair"), lanes=lanes([0, 0], (1, 3)))
    waiting = rank(1, blocked("Recv", receive(None, communicator=1)))
    left = job(rank(0, running()), waiting, rank(2, running()), rank(3, state="exited"))
    assert stuck(replace(left, communicators=(*left.communicators, pair))) == (1,)
    assert WORLD == 0
