"""Which collectives may begin with `strict` on several hosts, by snapshots made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sanitizer.snapshots import FakeBook, blocked, collective, communicator, job, rank, record, running, signature

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.agreement import Agreement
from jaxmpi_lint.runtime.ledger.snapshot import Lane, Rank, Record, Signature, Snapshot

SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM")
MAX = replace(SUM, reduction="MPI_MAX")
THIRD = blocked("Allreduce", collective(3), signed=SUM)  # in the third collective
HOSTS = ("a", "a", "b", "b")


def waiting(counts: Sequence[int], *changed: Lane, **more: object) -> Snapshot:
    """Ranks in the collective of that number; 2: not yet in the third one. Some lanes may be changed."""
    threads = [THIRD if count >= 3 else running() for count in counts]
    ranks = [rank(at, one, host=HOSTS[at]) for at, one in enumerate(threads)]
    world = communicator(counts)
    lanes = {lane.rank: lane for lane in (*world.lanes, *changed)}
    return replace(job(*ranks), communicators=(replace(world, lanes=tuple(lanes.values()), **more),))  # type: ignore[arg-type]


def judge(snapshot: Snapshot, histories: Mapping[int, Sequence[Record]] | None = None) -> tuple[Agreement, FakeBook]:
    book = FakeBook([snapshot], histories=histories or {})
    return Agreement(book.distant_parts, book.formers), book


def entered(snapshot: Snapshot) -> list[tuple[int, int]]:
    return [(one.id, count) for one, count in judge(snapshot)[0].entered(snapshot)]


def test_a_collective_that_all_have_entered_may_begin() -> None:
    assert entered(waiting([3, 3, 3, 3])) == [(1, 3)]
    assert entered(waiting([3, 3, 3, 2])) == []


def test_nobody_waits_for_a_rank_that_has_ended() -> None:
    snapshot = waiting([3, 3, 3, 2])
    ended: list[Rank] = [*snapshot.ranks[:3], replace(snapshot.ranks[3], state="finalizing", threads=())]
    assert entered(replace(snapshot, ranks=tuple(ended))) == [(1, 3)]


def test_nobody_waits_where_nothing_can_be_compared() -> None:
    assert entered(waiting([3, 3, 3, 2], unchecked=True)) == [(1, 3)]
    overflow = waiting([3, 3, 3])  # the communicator has found no place on the other host
    assert entered(replace(overflow, communicators=(replace(overflow.communicators[0], size=4),))) == []
    overflow = replace(overflow, communicators_overflow=True)
    assert entered(overflow) == [(1, 3)]


def differing(snapshot: Snapshot, histories: Mapping[int, Sequence[Record]], known: set[int]) -> list[Finding]:
    agreement, book = judge(snapshot, histories)
    twice = [
        agreement.differing(agreement.entered(snapshot), snapshot, lambda one: book.history(one, 512), known)
        for _ in range(2)
    ]
    assert twice[1] == []  # each collective is compared once
    return twice[0]


def past(owner: int, last: Signature) -> list[Record]:
    return [record(at, owner, "Allreduce", ordinal=at, signature=last if at == 2 else SUM) for at in range(3)]


def odd(snapshot: Snapshot, **more: int) -> Snapshot:
    """The ranks of the second host have other hashes."""
    (world,) = snapshot.communicators
    lanes = tuple(replace(one, **more) if one.rank > 1 else one for one in world.lanes)  # type: ignore[arg-type]
    return replace(snapshot, communicators=(replace(world, lanes=lanes),))


def test_a_difference_is_found_before_the_collective_begins() -> None:
    snapshot = odd(waiting([3, 3, 3, 3]), rolling=1)
    known: set[int] = set()
    (found,) = differing(snapshot, {at: past(at, MAX if at > 1 else SUM) for at in range(4)}, known)
    assert (found.code, found.ranks) == ("JS104", (0, 1, 2, 3))
    assert known == {0}
    assert differing(snapshot, {}, known) == []


def test_unequal_hashes_of_all_arguments_are_no_finding_by_themselves() -> None:
    snapshot = odd(waiting([3, 3, 3, 3]), fine=1)
    assert differing(snapshot, {at: past(at, SUM) for at in range(4)}, set()) == []
    types = replace(SUM, base="signed", type_hash=1)
    (found,) = differing(snapshot, {at: past(at, types if at > 1 else SUM) for at in range(4)}, set())
    assert found.code == "JS106"


def test_a_call_that_does_not_wait_is_found() -> None:
    """Its ranks are ahead: there are no hashes at equal counts."""
    snapshot = odd(waiting([3, 3, 4, 4]), rolling=1)
    histories = {at: past(at, replace(SUM, non_blocking=True) if at > 1 else SUM) for at in range(4)}
    (found,) = differing(snapshot, histories, set())
    assert found.code == "JS102"


def test_a_lost_host_is_waited_for_a_while() -> None:
    whole = waiting([3, 3, 2, 2])
    agreement, _ = judge(whole)
    half = replace(whole, ranks=whole.ranks[:2])
    assert agreement.lost(replace(half, taken=100.0)) is None
    missing = [agreement.is_waiting]
    assert agreement.lost(replace(whole, taken=105.0)) is None  # it is there again
    assert [*missing, agreement.is_waiting] == [True, False]
    assert agreement.lost(replace(half, taken=108.0)) is None
    assert agreement.lost(replace(half, taken=117.0)) is None
    assert agreement.lost(replace(half, taken=119.0)) == frozenset({2, 3})
    assert agreement.over


def test_ranks_that_ended_are_not_lost() -> None:
    whole = waiting([3, 3, 2, 2])
    agreement, _ = judge(whole)
    ended = tuple(replace(one, state="finalized") if one.rank > 1 else one for one in whole.ranks)
    assert agreement.lost(replace(whole, ranks=ended)) is None
    assert agreement.lost(replace(whole, ranks=ended[:2], taken=110.0)) is None
    assert agreement.lost(replace(whole, ranks=ended[:2], taken=121.0)) == frozenset()
