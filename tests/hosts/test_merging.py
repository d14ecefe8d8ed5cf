"""Snapshots of several hosts as one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sanitizer.snapshots import WORLD, blocked, communicator, job, lanes, messages, rank, receive, record

from jaxmpi_lint.runtime.hosts.merging import HostView, Indexes, merged
from jaxmpi_lint.runtime.hosts.portable import packed_records, packed_snapshot, unpacked_records
from jaxmpi_lint.runtime.judging.wait_for_graph import analyse
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Snapshot

IDENTITY = 77


def world(index: int, members: tuple[int, ...], counts: tuple[int, ...]) -> Communicator:
    """The part of a communicator of four ranks that one host knows, under a number of its own."""
    return replace(communicator(counts, index=index), id=IDENTITY, size=4, lanes=lanes(counts, members))


def host(name: str, index: int, *numbers: int, **more: object) -> Snapshot:
    """A host whose ranks each wait for a message from the rank two further."""
    ranks = [rank(one, blocked("Recv", receive((one + 2) % 4, communicator=index))) for one in numbers]
    made = job(*ranks, world_size=4, host=name, communicators=(world(index, numbers, (3,) * len(numbers)),))
    return replace(made, **more)  # type: ignore[arg-type]


def joined(*hosts: Snapshot) -> Snapshot:
    indexes = Indexes()
    return merged([HostView(indexes).snapshot(one) for one in hosts], (), True)


def test_deadlock_between_hosts_is_proven_from_both_only() -> None:
    first, second = host("a", 5, 0, 1), host("b", 9, 2, 3)
    assert analyse(joined(first)) is None
    knot = analyse(joined(first, second))
    assert knot is not None
    assert knot.ranks == (0, 1, 2, 3)
    assert knot.certain


def test_ranks_and_lanes_come_in_order() -> None:
    whole = joined(host("a", 5, 1, 3), host("b", 9, 0, 2))
    assert [one.rank for one in whole.ranks] == [0, 1, 2, 3]
    assert [one.host for one in whole.ranks] == ["b", "a", "b", "a"]
    (only,) = whole.communicators
    assert [lane.rank for lane in only.lanes] == [0, 1, 2, 3]
    assert (whole.host, whole.spans_hosts) == ("2 hosts (a, b)", True)


def test_message_is_counted_by_both_of_its_hosts() -> None:
    sent = replace(messages(2, 0, sent=3), communicator=9, identity=IDENTITY)
    taken = replace(messages(2, 0, received=2, posted=3, completed=2), communicator=5, identity=IDENTITY)
    whole = joined(host("a", 5, 0, 1, channels=(taken,)), host("b", 9, 2, 3, channels=(sent,)))
    (channel,) = whole.channels
    assert (channel.sent, channel.received, channel.posted, channel.completed) == (3, 2, 3, 2)


def test_counts_of_a_freed_communicator_meet_by_its_identity() -> None:
    sent, taken = (replace(messages(2, 0, **{name: 1}), communicator=8, identity=5) for name in ("sent", "received"))
    whole = joined(host("a", 5, 0, 1, channels=(taken,)), host("b", 9, 2, 3, channels=(sent,)))
    assert [(one.sent, one.received) for one in whole.channels] == [(1, 1)]


def test_times_are_those_of_the_own_clock() -> None:
    view = HostView(Indexes())
    packed = packed_snapshot(replace(host("b", 9, 2), taken=500.0))
    view.unpacked(packed, asked=10.0, answered=10.2)
    moved = view.unpacked(packed, asked=20.0, answered=29.0)  # slower, so less precise
    assert (moved.taken, moved.ranks[0].threads[0].entered) == pytest.approx((500.0 - 489.9, 95.0 - 489.9))
    (only,) = unpacked_records(packed_records([record(1, 2, "Send", communicator=9)]), view.translation)
    assert only.entered == pytest.approx(1.0 - 489.9)
    assert only.communicator == moved.communicators[0].index


def test_same_number_of_different_communicators_stays_different() -> None:
    other = replace(host("b", WORLD, 2, 3), communicators=(replace(world(WORLD, (2, 3), (1, 1)), id=IDENTITY + 1),))
    whole = joined(host("a", WORLD, 0, 1), other)
    assert len({one.index for one in whole.communicators}) == 2
