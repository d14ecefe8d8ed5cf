"""Collectives that differ between hosts: where their hashes part, and what the histories still show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from sanitizer.snapshots import job, messages, rank, record, signature

from jaxmpi_lint.runtime.judging import ending, unreceived
from jaxmpi_lint.runtime.judging.between_hosts import BetweenHosts
from jaxmpi_lint.runtime.judging.exact import ExactComparison
from jaxmpi_lint.runtime.judging.hash_divergence import difference_of, diverged, is_suspect, parted
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, DistantPart, Lane, Record, Signature, Snapshot
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM", type_hash=1)
MAX = replace(SUM, reduction="MPI_MAX")
WHOLE_NUMBERS = replace(SUM, base="signed", type_hash=2)
BYTES = replace(SUM, base="byte", width=1, elements=32, type_hash=3)


def lane(number: int, count: int, rolling: int, fine: int = 0, **checkpoints: int) -> Lane:
    """``at16=5``: the hash at count 16 is 5."""
    kept = tuple((int(name[2:]), value) for name, value in checkpoints.items())
    return Lane(number, number, count, rolling, fine, "member", 0, None, kept)


def two_hosts(*lanes: Lane, state: str = "running") -> Snapshot:
    ranks = [rank(one.rank, host=f"host{one.rank}", state=state) for one in lanes]
    made = Communicator(0, 1, 0, 0, len(lanes), "intra", False, False, "MPI_COMM_WORLD", lanes, ())
    return job(*ranks, communicators=(made,))


def nothing(_rank: int) -> Sequence[Record]:
    return ()


def no_formers(_rank: int, _count: int) -> Sequence[Communicator]:
    return ()


def no_parts(_rank: int, _count: int) -> Sequence[DistantPart]:
    return ()


def calls(mine: Signature, theirs: Signature, ordinal: int) -> Mapping[int, Sequence[Record]]:
    """Histories of two ranks that differ in one call."""
    return {
        number: [
            record(at, number, "Allreduce", ordinal=at, signature=other if at == ordinal else SUM)
            for at in range(ordinal + 3)
        ]
        for number, other in ((0, mine), (1, theirs))
    }


def test_equal_hashes_do_not_part() -> None:
    assert parted([lane(0, 40, 7, at16=3, at32=5), lane(1, 33, 6, at16=3, at32=5)], ()) is None


def test_ranks_that_move_are_compared_at_common_counts() -> None:
    found = parted([lane(0, 40, 7, at16=3, at32=5), lane(1, 33, 6, at16=3, at32=9)], ())
    assert found is not None
    assert (found.agreed, found.differ) == (16, 32)


def test_ranks_that_move_are_suspect_by_their_checkpoints_only() -> None:
    differ = two_hosts(lane(0, 40, 7, at16=3), lane(1, 41, 8, at16=4))
    assert is_suspect(differ, ())
    assert not is_suspect(differ, {0})
    assert not is_suspect(two_hosts(lane(0, 40, 7, at16=3), lane(1, 41, 8, at16=3)), ())


def test_latest_count_is_compared_at_rest_only() -> None:
    lanes = [lane(0, 40, 7, at16=3), lane(1, 40, 8, at16=3)]
    assert parted(lanes, ()) is None
    found = parted(lanes, {0, 1})
    assert found is not None
    assert (found.agreed, found.differ) == (16, 40)


def test_interval_is_named_where_the_history_is_overwritten() -> None:
    snapshot = two_hosts(lane(0, 40, 7, at16=3, at32=5), lane(1, 40, 8, at16=3, at32=9))
    (found,) = diverged(snapshot, nothing, {0, 1})
    assert found.code == "JS112"
    assert "between collective 17 and collective 32, is no longer in the history" in found.message


def test_call_is_named_where_the_history_holds_it() -> None:
    snapshot = two_hosts(lane(0, 40, 7, at16=3, at32=5), lane(1, 40, 8, at16=3, at32=9))
    known: set[int] = set()
    (found,) = diverged(snapshot, calls(SUM, MAX, 20).__getitem__, {0, 1}, known)
    assert found.code == "JS104"
    assert "collective 21 on MPI_COMM_WORLD" in found.message
    assert not list(diverged(snapshot, nothing, {0, 1}, known))  # it is told once


def test_type_is_found_by_the_exact_comparison() -> None:
    snapshot = two_hosts(lane(0, 21, 7, fine=1), lane(1, 21, 7, fine=2))
    (found,) = ExactComparison().look(snapshot, calls(SUM, WHOLE_NUMBERS, 20).__getitem__, {0, 1})
    assert found.code == "JS106"
    assert not list(diverged(snapshot, nothing, {0, 1}))


@pytest.mark.parametrize(("theirs", "rolling", "code"), [(MAX, 8, "JS104"), (WHOLE_NUMBERS, 7, "JS106")])
def test_job_that_has_died_is_compared(theirs: Signature, rolling: int, code: str) -> None:
    lanes = lane(0, 21, 7, fine=1), lane(1, 21, rolling, fine=2)
    history = calls(SUM, theirs, 20).__getitem__
    (found,) = ending.mismatched(two_hosts(*lanes, state="vanished"), history)
    assert found.code == code
    assert not ending.mismatched(two_hosts(*lanes), history)  # it may still be compared


@pytest.mark.parametrize("theirs", [BYTES, replace(SUM, reduction_site=9)])
def test_what_may_differ_is_no_finding(theirs: Signature) -> None:
    snapshot = two_hosts(lane(0, 21, 7, fine=1), lane(1, 21, 7, fine=2))
    assert not list(ExactComparison().look(snapshot, calls(SUM, theirs, 20).__getitem__, {0, 1}))


def test_exact_comparison_reads_histories_once_and_seldom() -> None:
    read: list[int] = []

    def history(number: int) -> Sequence[Record]:
        read.append(number)
        return ()

    snapshot, exact = two_hosts(lane(0, 21, 7, fine=1), lane(1, 21, 7, fine=2)), ExactComparison()
    for taken in (100.0, 101.0, 200.0):
        list(exact.look(replace(snapshot, taken=taken), history, {0, 1}))
    assert read == [0, 1]


@pytest.mark.parametrize(
    ("theirs", "difference"),
    [
        (signature("MPI_Bcast"), "kind"),
        (replace(SUM, non_blocking=True), "blocking"),
        (replace(SUM, root=1), "root"),
        (MAX, "reduction"),
        (replace(SUM, bytes=64), "count"),
        (WHOLE_NUMBERS, "type"),
        (replace(WHOLE_NUMBERS, width=4, bytes=16), "type"),
        (replace(BYTES, bytes=64), "count"),
        (replace(SUM, in_place=True), "in_place"),
        (replace(SUM, note=5), ""),
        (replace(SUM, count_known=False, bytes=0), ""),
        (SUM, ""),
    ],
)
def test_what_must_agree(theirs: Signature, difference: str) -> None:
    assert difference_of(SUM, theirs) == difference


@pytest.mark.parametrize(
    ("function", "difference"), [("MPI_Allgatherv", "part"), ("MPI_Reduce_scatter", "part"), ("MPI_File_open", "note")]
)
def test_further_arguments_must_agree(function: str, difference: str) -> None:
    mine, theirs = (signature(function, note=note) for note in (5, 6))
    assert difference_of(mine, theirs) == difference


def test_the_root_alone_may_pass_in_place() -> None:
    mine = signature("MPI_Reduce", "float", 8, 4, reduction="MPI_SUM")
    assert not difference_of(mine, replace(mine, in_place=True))


def test_message_between_hosts_that_no_rank_received() -> None:
    lying = messages(0, 1, tag=7, sent=3, received=1)
    snapshot = replace(two_hosts(lane(0, 1, 1), lane(1, 1, 1), state="finalizing"), channels=(lying,))
    (found,) = unreceived.between_hosts(snapshot, {0, 1})
    assert (found.code, found.message) == (
        "JS205",
        "2 messages from rank 0 to rank 1 on MPI_COMM_WORLD were never received (tag 7)",
    )
    assert not unreceived.between_hosts(snapshot, {0})  # rank 1 may still receive them
    same = replace(snapshot, ranks=tuple(replace(one, host="host0") for one in snapshot.ranks))
    assert not unreceived.between_hosts(same, {0, 1})  # the receiving rank itself reports them


def test_messages_of_one_place_are_counted_together() -> None:
    channels = (messages(0, 1, tag=7, sent=3, received=1), messages(0, 1, tag=8, sent=1))
    snapshot = replace(two_hosts(lane(0, 1, 1), lane(1, 1, 1), state="finalizing"), channels=channels)
    (found,) = unreceived.between_hosts(snapshot, {0, 1})
    assert found.message.startswith("3 messages from rank 0 to rank 1 ")


def test_judgement_of_the_end_has_all_of_it() -> None:
    lying = messages(0, 1, tag=7, sent=1)
    snapshot = replace(two_hosts(lane(0, 1, 1), lane(1, 1, 2), state="finalizing"), channels=(lying,))
    between = BetweenHosts(no_parts, no_formers)
    codes = {one.code for one in ending.judge(snapshot, nothing, MonitorOptions.parse(""), between)}
    assert codes == {"JS112", "JS205"}


@pytest.mark.parametrize(("theirs", "told"), [(MAX, ["JS104"]), (SUM, [])])
def test_a_collective_that_failed_is_compared_at_the_end(theirs: Signature, told: list[str]) -> None:
    """A job may have ended before it was looked at in between."""
    snapshot = two_hosts(lane(0, 3, 1), lane(1, 3, 2), state="exited")
    refused = replace(snapshot.communicators[0], unchecked=True, failed=2)
    snapshot = replace(snapshot, communicators=(refused,))
    found = ending.judge(snapshot, calls(SUM, theirs, 2).__getitem__, MonitorOptions.parse(""))
    assert [one.code for one in found] == told


def freed(owner: int, count: int, rolling: int, index: int = 7) -> Communicator:
    """As a rank keeps it."""
    own = (replace(lane(owner, count, rolling), state="freed"),)
    return Communicator(index, 70 + index, 0, 0, 2, "intra", False, False, "Comm_split", own, ())


def ended(*sums: int) -> Snapshot:
    """A job at its end, with the sums over freed communicators of its ranks."""
    snapshot = two_hosts(lane(0, 1, 1), lane(1, 1, 1), state="finalizing")
    ranks = tuple(replace(one, freed=found) for one, found in zip(snapshot.ranks, sums, strict=True))
    return replace(snapshot, ranks=ranks)


def judged(snapshot: Snapshot, kept: Mapping[int, Sequence[Communicator]]) -> list[str]:
    between = BetweenHosts(no_parts, lambda number, count: kept[number][-count:])
    found = ending.judge(snapshot, nothing, MonitorOptions.parse(""), between)
    return [f"{one.code}: {one.message.partition(';')[0]}" for one in found]


def test_freed_communicators_are_compared_at_the_end() -> None:
    kept = {0: [freed(0, 3, 5, index=8), freed(0, 3, 5)], 1: [freed(1, 3, 5, index=8), freed(1, 3, 6)]}
    assert judged(ended(2, 3), kept) == [
        "JS112: rank 0 and rank 1 have entered 3 collectives on Comm_split, but different ones"
    ]


def test_freed_communicators_are_not_read_if_their_sums_cancel_out() -> None:
    assert not judged(ended(2, (1 << 64) - 2), {})


def test_a_communicator_that_only_some_have_freed() -> None:
    """The others never did: a leak, not a difference."""
    assert not judged(ended(2, 0), {0: [freed(0, 3, 5)], 1: []})


def test_an_entry_that_one_host_still_has_is_completed() -> None:
    snapshot = ended(2, 0)
    live = replace(freed(1, 3, 6), lanes=(lane(1, 3, 6),))
    snapshot = replace(snapshot, communicators=(*snapshot.communicators, live))
    (found,) = judged(snapshot, {0: [freed(0, 3, 5)], 1: []})
    assert found.startswith("JS112: rank 0 and rank 1 have entered 3 collectives")
