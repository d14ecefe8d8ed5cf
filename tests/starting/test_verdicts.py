"""What the arguments of processes prove: only calls at one moment, first calls, by processes that live."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.starting import address, causes, contradictions, origin
from jaxmpi_lint.runtime.xla.starting.board import CALLING, INITIALISED, RAISED, Board, Marker, Unusable
from jaxmpi_lint.runtime.xla.starting.group import Group
from jaxmpi_lint.runtime.xla.starting.origin import Origin

NOW = 100.0
ADDRESS = "localhost:1234"
PLAIN = Origin("host", "", None, 0, False, "1-1", False, "train.py")
SITE = Site("train.py", 3, "<module>")


def called(process: int, index: int | None = None, number: int = 2, **other: Any) -> Marker:
    """A process that has been in `initialize` for ten seconds; its id is its process number unless given."""
    made = Marker(
        process, f"{process}-1", PLAIN, NOW - 20, CALLING, 1, NOW - 10, 0.0, ADDRESS, ADDRESS, number,
        process if index is None else index, SITE,
    )  # fmt: skip
    return replace(made, **other)


def ranked(process: int, size: int = 2, **other: Any) -> Marker:
    """A process that mpirun started as the rank of its number."""
    return called(
        process, origin=replace(PLAIN, job="job", rank=process, size=size, all_here=True, daemon=True), **other
    )


def idle(marker: Marker, **other: Any) -> Marker:
    """The process before its call."""
    return replace(Marker(marker.process, marker.key, marker.origin, marker.imported), **other)


@pytest.fixture(autouse=True)
def no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradictions, "is_being_ended", lambda process: process == 99)


def group(*markers: Marker) -> Group:
    return Group(markers[0], markers, NOW)


DEAD: dict[str, Any] = {"alive": False}
EARLIER: dict[str, Any] = {"state": INITIALISED, "begun": NOW - 50, "finished": NOW - 40}
SAME_ID = [
    pytest.param(called(1), called(2, 1), True, id="at one moment"),
    pytest.param(called(1), called(2, 1, **DEAD), False, id="one has ended: a restart"),
    pytest.param(called(1), called(99, 1), False, id="one is being ended"),
    pytest.param(called(1), called(2, 1, attempt=2), False, id="a retry"),
    pytest.param(called(1, attempt=2), called(2, 1), False, id="an own retry"),
    pytest.param(called(1), called(2, 1, **EARLIER), False, id="of an earlier job"),
    pytest.param(called(1), called(2, 1, state=INITIALISED, finished=NOW - 1), True, id="one is in"),
    pytest.param(called(1), called(2, 1, state=RAISED), False, id="one has failed"),
    pytest.param(called(1), called(2, 1, address="localhost:99"), False, id="another coordinator"),
    pytest.param(called(1), called(2, 2), False, id="different ids"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "wrong"), SAME_ID)
def test_same_id(one: Marker, other: Marker, wrong: bool) -> None:
    found = contradictions.contradiction(group(one, other))
    assert (found is not None) == wrong
    if found is not None:
        assert (found.code, found.severity) == ("JS509", "error")
        assert found.message.startswith("2 processes of one job pass process_id=1 ")


def test_different_numbers() -> None:
    found = contradictions.contradiction(group(called(0), called(1, number=3)))
    assert found is not None
    assert "num_processes=2 and 3" in found.message
    assert contradictions.contradiction(group(called(0), called(1, number=3, attempt=2))) is None


ENDED: dict[str, Any] = {"state": "imported", "alive": False, "end": "raised ValueError: no data"}
ALIVE = {1: origin.Started(7, 1, 1, "python")}
EXITS = [
    pytest.param(ranked(0), ranked(1, attempt=0, **ENDED), {}, True, id="launched and gone"),
    pytest.param(ranked(0), ranked(1, attempt=0, **ENDED), ALIVE, False, id="the rank has another process"),
    pytest.param(ranked(0), ranked(1, state="imported"), {}, False, id="it lives"),
    pytest.param(ranked(0, 4), ranked(1, 4, attempt=0, **ENDED), {}, False, id="JAX on some ranks"),
    pytest.param(called(0), called(1, attempt=0, **ENDED), {}, False, id="a plain process may be restarted"),
    pytest.param(ranked(0, index=1), ranked(1, attempt=0, **ENDED), {}, False, id="ids are not ranks"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "alive", "wrong"), EXITS)
def test_process_that_ended(one: Marker, other: Marker, alive: dict[int, origin.Started], wrong: bool) -> None:
    found = contradictions.ended(group(one, other), alive)
    assert (found is not None) == wrong
    if found is not None:
        assert found.message.endswith("for process 1, which has ended: raised ValueError: no data")


def test_restartable_rank_is_no_error() -> None:
    gone = ranked(1, attempt=0, **ENDED)
    gone = replace(gone, origin=replace(gone.origin, daemon=False))
    assert contradictions.ended(group(ranked(0), gone), {}) is None


def test_notice_of_all_that_is_in_is_none() -> None:
    assert causes.notice(group(called(0), called(1)), {}, True) is None


def test_notice_waits_for_a_process_that_starts() -> None:
    young = idle(called(1), imported=NOW - 1)
    assert causes.notice(group(called(0), young), {}, False) is None
    found = causes.notice(group(called(0), young), {}, True)
    assert found is not None
    assert (found.code, found.severity) == ("JS511", "info")


def test_notice_on_one_of_several_hosts_waits_without_a_cause() -> None:
    far: dict[str, Any] = {"address": "10.255.255.1:1", "written": "10.255.255.1:1"}
    assert causes.notice(group(called(0, **far)), {}, False) is None
    assert causes.notice(group(called(0, **far)), {}, True) is not None


def test_one_process_reports() -> None:
    first, second = called(0), called(1)
    assert Group(first, (first, second), NOW).is_reporter
    assert not Group(second, (first, second), NOW).is_reporter


def test_process_of_an_earlier_job_of_the_same_shell_is_not_related() -> None:
    before = called(5, imported=NOW - 40, **DEAD)
    assert group(called(0), before).related == []
    assert group(called(0), replace(before, imported=NOW - 21)).related != []


@pytest.mark.parametrize(("written", "one"), [
    ("localhost:1", "localhost:1"), ("127.0.0.1:1", "localhost:1"), ("[::1]:1", "localhost:1"),
    ("10.255.255.1:1", "10.255.255.1:1"), ("elsewhere.invalid:1", "elsewhere.invalid:1"), ("nothing", "nothing"),
])  # fmt: skip
def test_names_of_one_address(written: str, one: str) -> None:
    assert address.normalised(written) == one


def test_board(tmp_path: Path) -> None:
    folder = str(tmp_path / "board")
    board = Board(folder)
    board.show(replace(board.mine, state=CALLING, site=SITE, told=("x",)))
    assert os.stat(folder).st_mode & 0o777 == 0o700
    other = Board(folder)  # of the same process: the file is replaced
    assert [one.state for one in other.read()] == ["imported"]
    (tmp_path / "board" / "5-1.json").write_text("{")
    assert len(other.read()) == 1
    other.remove()
    os.chmod(folder, 0o755)
    with pytest.raises(Unusable):
        Board(folder)


@pytest.mark.parametrize(("variables", "job", "rank", "here"), [
    ({"PMIX_NAMESPACE": "a@1", "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, "a@1", 1, True),
    ({"SLURM_JOB_ID": "5", "SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"},
     "slurm 5.0", 1, False),
    ({"SLURM_JOB_ID": "5", "SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, "", None, False),  # a batch script
    ({}, "", None, False),
])  # fmt: skip
def test_job_of_the_launcher(variables: dict[str, str], job: str, rank: int | None, here: bool) -> None:
    found = origin.launched(variables, None)
    assert (found[0], found[1], found[3]) == (job, rank, here)
