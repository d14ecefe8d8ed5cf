"""Which collectives may begin with `strict` on several hosts, by snapshots made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sanitizer.snapshots import FakeBook, blocked, collective, communicator, job, rank, record, running, signature

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.agreement import Agreement
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Record, Signature, Snapshot

SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM")
MAX = replace(SUM, reduction="MPI_MAX")
THIRD = blocked("Allreduce", collective(3), signed=SUM)  # in the third collective
HOSTS = ("a", "a", "b", "b")


def waiting(counts: Sequence[int], moving: Sequence[int] = (), **more: object) -> Snapshot:
    """Ranks after so many collectives, in the last of which they wait; 2, and those that move: they do not wait."""
    threads = [THIRD if count >= 3 and at not in moving else running() for at, count in enumerate(counts)]
    ranks = [rank(at, one, host=HOSTS[at]) for at, one in enumerate(threads)]
    world = replace(communicator(counts), awaited=3)
    return replace(job(*ranks), communicators=(replace(world, **more),))  # type: ignore[arg-type]


def judge(snapshot: Snapshot, histories: Mapping[int, Sequence[Record]] | None = None) -> tuple[Agreement, FakeBook]:
    book = FakeBook([snapshot], histories=histories or {})
    return Agreement(book), book


def entered(snapshot: Snapshot) -> list[tuple[int, int]]:
    return [(one.id, count) for one, count in judge(snapshot)[0].entered(snapshot)]


def test_a_collective_that_all_have_entered_may_begin() -> None:
    assert entered(waiting([3, 3, 3, 3])) == [(1, 3)]
    assert entered(waiting([3, 3, 3, 2])) == [(1, 2)]
    assert entered(waiting([3, 3, 3, 0])) == []
    assert entered(waiting([3, 3, 3, 3], awaited=0)) == []  # nobody waits


def test_the_least_of_what_ranks_have_entered_may_be_completed() -> None:
    assert entered(waiting([5, 7, 4, 9], moving=range(4))) == [(1, 4)]


def test_ranks_that_wait_for_one_that_has_ended_are_judged_first() -> None:
    snapshot = waiting([3, 3, 3, 2])
    ended: list[Rank] = [*snapshot.ranks[:3], replace(snapshot.ranks[3], state="finalizing", threads=())]
    left = replace(snapshot, ranks=tuple(ended))
    agreement, _ = judge(left)
    found = [agreement.entered(replace(left, taken=taken)) for taken in (100.0, 102.0, 104.0)]
    assert [[count for _, count in one] for one in found] == [[2], [2], [3]]
    assert not agreement.is_waiting


def test_nobody_waits_where_nothing_can_be_compared() -> None:
    assert entered(waiting([3, 3, 3, 2], unchecked=True)) == [(1, 3)]
    overflow = waiting([3, 3, 3], size=4)  # the communicator has found no place on the other host
    assert entered(overflow) == []
    assert entered(replace(overflow, communicators_overflow=True)) == [(1, 3)]


def test_what_was_compared_is_agreed_where_the_communicator_is_gone() -> None:
    whole = waiting([3, 3, 3, 3])
    agreement, _ = judge(whole)
    assert agreement.differing(agreement.entered(whole), whole, lambda _: (), set()) == []
    (world,) = whole.communicators
    gone = replace(whole, communicators=(replace(world, lanes=world.lanes[:2]),))
    assert [(one.id, count) for one, count in agreement.entered(gone)] == [(1, 3)]


def differing(snapshot: Snapshot, histories: Mapping[int, Sequence[Record]], known: set[int]) -> list[Finding]:
    agreement, book = judge(snapshot, histories)
    twice = [
        agreement.differing(agreement.entered(snapshot), snapshot, lambda one: book.history(one, 512), known)
        for _ in range(2)
    ]
    assert twice[1] == []  # each collective is compared once
    return twice[0]


def past(owner: int, last: Signature, count: int = 3) -> list[Record]:
    """The third one is given."""
    return [record(at, owner, "Allreduce", ordinal=at, signature=last if at == 2 else SUM) for at in range(count)]


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
    snapshot = odd(waiting([3, 3, 4, 4], moving=[2, 3]), rolling=1)
    histories = {at: past(at, replace(SUM, non_blocking=True) if at > 1 else SUM) for at in range(4)}
    known: set[int] = set()
    (found,) = differing(snapshot, histories, known)
    assert found.code == "JS102"
    assert known == {0}


def test_ranks_that_move_are_compared_by_their_histories() -> None:
    """What the ledger says of them at the moment may be out of step."""
    torn = odd(waiting([5, 4, 7, 3], moving=range(4)), rolling=1, fine=1)
    same = {at: past(at, SUM, 8) for at in range(4)}
    assert differing(torn, same, set()) == []
    (found,) = differing(torn, same | {3: past(3, MAX, 8)}, set())
    assert (found.code, found.ranks) == ("JS104", (0, 1, 2, 3))


def test_what_is_no_longer_in_the_history_is_not_compared() -> None:
    torn = odd(waiting([5, 4, 7, 3], moving=range(4)), rolling=1, fine=1)
    assert differing(torn, {0: past(0, SUM, 8), 3: past(3, MAX, 8)[2:]}, set()) == []


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
