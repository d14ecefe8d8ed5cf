"""Parts of collectives with counts between hosts: whether they fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sanitizer.snapshots import WORLD, job, rank, record, signature

from jaxmpi_lint.runtime.hosts import portable
from jaxmpi_lint.runtime.judging.distant_parts import PartComparison
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, DistantPart, Lane, Record, Snapshot

FLOATS, WHOLE_NUMBERS, BYTES = (47, "float", 8), (49, "signed", 8), (0, "nothing", 0)
LEFT = (1 << 64) - 7  # and 7 cancel out


def part(
    owner: int, peer: int, sending: bool, size: int, kind: tuple[int, str, int] = FLOATS, at: int = 4
) -> DistantPart:
    return DistantPart(owner, WORLD, at, peer, sending, size, *kind)


def two_hosts(*sums: tuple[int, int], counts: Sequence[int] = (5, 5), **more: object) -> Snapshot:
    """``sums``: of sizes and of kinds, for each rank."""
    lanes = tuple(
        Lane(at, at, count, 1, 1, "member", 0, None, (), *both)
        for at, (count, both) in enumerate(zip(counts, sums, strict=True))
    )
    made = Communicator(WORLD, 1, 0, 0, len(lanes), "intra", False, False, "MPI_COMM_WORLD", lanes, ())
    ranks = [rank(at, host=f"host{at}") for at in range(len(lanes))]
    return job(*ranks, communicators=(replace(made, **more),))  # type: ignore[arg-type]


def calls(number: int) -> Sequence[Record]:
    return [record(5, number, "Alltoallv", ordinal=4, signature=signature("MPI_Alltoallv"))]


class Kept:
    """The parts that ranks still have."""

    def __init__(self, *parts: DistantPart) -> None:
        self.parts = parts
        self.read = 0

    def __call__(self, number: int, count: int) -> Sequence[DistantPart]:
        self.read += 1
        return [one for one in self.parts if one.rank == number][-count:]


def messages(snapshot: Snapshot, *parts: DistantPart, resting: Sequence[int] = (0, 1)) -> list[str]:
    found = PartComparison(Kept(*parts)).look(snapshot, calls, frozenset(resting), set())
    return [f"{one.code}: {one.message}" for one in found]


WRONG = (part(1, 0, True, 24), part(0, 1, False, 16))
DIFFERENT = two_hosts((7, 9), (8, 9))


def test_size() -> None:
    assert messages(DIFFERENT, *WRONG) == [
        "JS110: rank 1 sends 3 x float64 (24 bytes) to rank 0, which expects 2 x float64 (16 bytes): "
        "collective 5 on MPI_COMM_WORLD"
    ]


def test_type_is_found_though_sizes_agree() -> None:
    snapshot = two_hosts((7, 9), (LEFT, 9))
    (found,) = messages(snapshot, part(1, 0, True, 16, WHOLE_NUMBERS), part(0, 1, False, 16))
    assert "rank 1 sends 2 x int64 (16 bytes) to rank 0, which expects 2 x float64 (16 bytes)" in found


def test_the_earliest_is_told() -> None:
    later = part(1, 0, True, 80, at=9), part(0, 1, False, 16, at=9)
    (found,) = messages(DIFFERENT, *later, *WRONG)
    assert "collective 5" in found


def test_what_is_no_longer_in_the_history_is_told_by_the_sums() -> None:
    (found,) = messages(DIFFERENT)
    assert found == (
        "JS110: among 5 collectives on MPI_COMM_WORLD there is one with counts in which a rank sends a part of a "
        "different size than a rank on a different host expects; it is no longer in the history"
    )


@pytest.mark.parametrize(
    "snapshot",
    [
        two_hosts((7, 9), (LEFT, -9 % (1 << 64))),  # they cancel out
        two_hosts((7, 9), (LEFT, 9)),  # only types may differ, and the calls are gone
        two_hosts((7, 9), (8, 9), counts=(5, 6)),  # not after the same collective
        two_hosts((7, 9), (8, 9), size=3),  # a host did not respond
        two_hosts((7, 9), (8, 9), unchecked=True),
    ],
)
def test_sums_that_prove_nothing(snapshot: Snapshot) -> None:
    assert not messages(snapshot)


def test_ranks_that_move_are_not_compared() -> None:
    assert not messages(DIFFERENT, *WRONG, resting=(0,))


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (part(1, 0, True, 16, BYTES), part(0, 1, False, 16)),  # what the bits mean is left open
        (part(1, 0, True, 0, WHOLE_NUMBERS), part(0, 1, False, 0)),  # there are none
        (part(1, 0, True, 24), part(0, 1, False, 16, at=5)),  # of two collectives
        (part(1, 0, True, 24), part(0, 1, True, 16)),  # two parts
    ],
)
def test_parts_that_fit(sent: DistantPart, expected: DistantPart) -> None:
    assert not messages(two_hosts((7, 9), (LEFT, 9)), sent, expected)


def test_a_collective_that_mpi_refused_needs_no_rest() -> None:
    refused = two_hosts((7, 9), (8, 9), counts=(5, 6), failed=4, unchecked=True)
    (found,) = messages(refused, *WRONG, resting=())
    assert "collective 5" in found


def test_ranks_that_wait_in_different_collectives() -> None:
    snapshot = two_hosts((7, 9), (8, 9), counts=(5, 6))
    (found,) = PartComparison(Kept(*WRONG)).causes(snapshot, calls)
    assert found.code == "JS110"
    assert not PartComparison(Kept(*WRONG)).causes(two_hosts((0, 0), (0, 0)), calls)


def test_parts_are_read_once_and_seldom() -> None:
    kept = Kept()
    comparison, fine = PartComparison(kept), two_hosts((7, 9), (LEFT, 9))
    for taken in (100.0, 101.0, 200.0):
        list(comparison.look(replace(fine, taken=taken), calls, {0, 1}, set()))
    assert kept.read == 2
    list(comparison.look(replace(two_hosts((7, 9), (LEFT, 9), counts=(6, 6)), taken=300.0), calls, {0, 1}, set()))
    assert kept.read == 4


def test_parts_on_their_way_between_hosts() -> None:
    assert portable.unpacked_parts(portable.packed_parts(WRONG)) == list(WRONG)
