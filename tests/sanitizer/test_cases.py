"""The expectations of the wrong programs: definite, and as strict as they say."""

from __future__ import annotations

from itertools import product

import pytest

from .ahead_mpi4jax import DIFFER_LATER
from .cases import OUTCOMES, Alone, Fault, expected_places
from .environments import LIBRARIES
from .expectations import complaints_about_fault
from .faults_mpi4jax import MISUSE
from .harness import Finding, Place, Result
from .test_matrix import CLEAN, FAULTS

ALL = [*FAULTS, *MISUSE, *DIFFER_LATER]
BODY = "comm.Barrier()  #@ rank 0: JS108\ncomm.bcast(1)  #@ rank 1: JS108"
BARRIER, BCAST = sorted(line for _, line in expected_places(Fault("", BODY, "hangs").text, 2)["JS108"])


def fault(
    alone: Alone = "hangs", codes: tuple[str, ...] = (), in_part: tuple[str, ...] = (), launcher: tuple[int, ...] = ()
) -> Fault:
    return Fault("a fault", BODY, alone, codes=codes, in_part=in_part, launcher=launcher)


def result(status: int, code: str, *places: tuple[int, int]) -> Result:
    named = tuple(Place(rank, "/tmp/program.py", line, None, "Barrier") for rank, line in places)
    found = Finding(code, "error", tuple(rank for rank, _ in places), "", named, {})
    return Result(status, False, "", "", (found,), 1.0, 0.0, (), ())


def test_every_fault_has_marks_and_every_name_is_used_once() -> None:
    assert all(expected_places(fault.text, 4) for fault in FAULTS)
    assert not any("#@" in case.text for case in CLEAN)
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len({case.name for case in CLEAN}) == len(CLEAN)


@pytest.mark.parametrize("fault", ALL, ids=str)
def test_what_comes_of_a_fault_alone_is_definite_on_every_library(fault: Fault) -> None:
    for library, ranks in product(LIBRARIES, fault.ranks):
        outcomes = fault.outcomes(library, ranks)
        assert outcomes <= OUTCOMES
        assert len(outcomes) in (1, 2), f"{library}, {ranks} ranks: {outcomes}"


@pytest.mark.parametrize("fault", ALL, ids=str)
def test_what_may_be_told_in_part_may_be_told(fault: Fault) -> None:
    assert set(fault.in_part) <= set(fault.codes)


@pytest.mark.parametrize(
    ("alone", "outcomes"),
    [
        ("hangs", {"hangs"}),
        ("hangs fails", {"hangs", "fails"}),
        ({"openmpi": "ends", "mpich": "fails"}, {"ends"}),
        ({"openmpi 2": "hangs", "openmpi": "ends"}, {"hangs"}),
        ({"openmpi 4": "hangs", "openmpi": "ends"}, {"ends"}),
        ({"mpich": "hangs"}, set()),
    ],
)
def test_what_is_said_of_the_number_of_ranks_counts_before_the_library(alone: Alone, outcomes: set[str]) -> None:
    assert fault(alone).outcomes("openmpi", 2) == outcomes


def test_a_report_that_names_every_mark_is_right() -> None:
    assert complaints_about_fault(fault(), result(66, "JS108", (0, BARRIER), (1, BCAST)), 2) == []


@pytest.mark.parametrize("places", [((0, BARRIER),), ((0, BARRIER), (1, BARRIER)), ((0, BARRIER), (1, BCAST), (1, 1))])
def test_a_rank_or_line_that_is_missing_or_wrong_is_a_complaint(places: tuple[tuple[int, int], ...]) -> None:
    assert complaints_about_fault(fault(), result(66, "JS108", *places), 2)


def test_another_code_may_name_some_of_the_ranks_only_where_the_case_says_so() -> None:
    partial = result(66, "JS201", (0, BARRIER))
    assert complaints_about_fault(fault(codes=("JS201",)), partial, 2)
    assert complaints_about_fault(fault(codes=("JS201",), in_part=("JS201",)), partial, 2) == []
    elsewhere = result(66, "JS201", (0, 1))
    assert complaints_about_fault(fault(codes=("JS201",), in_part=("JS201",)), elsewhere, 2)


@pytest.mark.parametrize(
    ("launcher", "status", "right"),
    [((), 66, True), ((), 137, False), ((137, 9), 137, True), ((137, 9), 66, True), ((137, 9), 1, False)],
)
def test_only_the_exit_codes_of_the_case_are_right(launcher: tuple[int, ...], status: int, right: bool) -> None:
    found = complaints_about_fault(fault(launcher=launcher), result(status, "JS108", (0, BARRIER), (1, BCAST)), 2)
    assert (found == []) is right
