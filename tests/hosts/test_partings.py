"""Collectives that differ between hosts: where their hashes part, and what the histories still show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from sanitizer.snapshots import job, messages, rank, record, signature

from jaxmpi_lint.runtime.judging import ending, unreceived
from jaxmpi_lint.runtime.judging.exact import ExactComparison
from jaxmpi_lint.runtime.judging.hash_divergence import difference_of, diverged, is_suspect, parted
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, Record, Signature, Snapshot
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


@pytest.mark.parametrize("theirs", [BYTES, replace(SUM, reduction_site=9), replace(SUM, in_place=True)])
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
        (replace(SUM, count_known=False, bytes=0), ""),
        (SUM, ""),
    ],
)
def test_what_must_agree(theirs: Signature, difference: str) -> None:
    assert difference_of(SUM, theirs) == difference


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


def test_judgement_of_the_end_has_all_of_it() -> None:
    lying = messages(0, 1, tag=7, sent=1)
    snapshot = replace(two_hosts(lane(0, 1, 1), lane(1, 1, 2), state="finalizing"), channels=(lying,))
    codes = {one.code for one in ending.judge(snapshot, nothing, MonitorOptions.parse(""), ExactComparison())}
    assert codes == {"JS112", "JS205"}
