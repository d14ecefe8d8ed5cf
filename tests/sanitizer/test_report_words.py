"""What reports say of held ranks, of requests, of messages to oneself, and how wide their tables are."""

from __future__ import annotations

import subprocess
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.commands import command
from jaxmpi_lint.runtime.findings import report, wording
from jaxmpi_lint.runtime.findings.finding import Finding, Past, Row, Side
from jaxmpi_lint.runtime.judging import deadlocks, mismatches, unstarted
from jaxmpi_lint.runtime.judging.exits import last_line
from jaxmpi_lint.runtime.judging.wait_for_graph import analyse
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import Record, Signature, Site, Snapshot, Wait
from jaxmpi_lint.runtime.reports import linting, rank_table
from sanitizer.snapshots import (
    blocked,
    collective,
    communicator,
    job,
    noticed,
    rank,
    receive,
    record,
    running,
    send,
    signature,
)

BEFORE, HERE, THERE = (Site("/app/train.py", line, "step") for line in (9, 10, 20))
THREE, FOUR = (signature("MPI_Allreduce", "float", 8, count, reduction="MPI_SUM") for count in (3, 4))
BARRIER = signature("MPI_Barrier")


def no_history(_rank: int) -> Sequence[Record]:
    return ()


def table(snapshot: Snapshot) -> str:
    return report.plain(rank_table.last(snapshot))


# --- ranks that a finding holds --------------------------------------------------------------------------------------


def of_before(activity: str = "held") -> object:
    """A thread whose state still describes the call before."""
    return replace(
        running(), activity=activity, function="MPI_Allreduce", signature=FOUR, site=BEFORE, communicator=0, ordinal=0
    )


def test_a_held_rank_is_where_its_finding_says() -> None:
    inside = blocked("Allreduce", collective(2), signed=FOUR, site=HERE)
    found = noticed("count", THREE, FOUR, rank=1, other=0, site=THERE, other_site=HERE, ordinal=1)
    text = table(
        job(
            rank(0, inside),
            rank(1, of_before()),  # type: ignore[arg-type]
            communicators=(communicator([2, 1]),),
            findings=(found,),
        )
    )
    assert "rank 1  held by the sanitizer in Allreduce(op=SUM), 3 x float64 (JS105)" in text
    assert "--> /app/train.py:20 in step" in text
    assert "train.py:9" not in text
    assert "rank 0  in Allreduce(op=SUM), 4 x float64 for 5.0 s  <- JS105\n" in text  # it waits for no held rank


def test_held_ranks_of_one_collective_name_the_code_of_its_finding() -> None:
    found = (
        noticed("kind", BARRIER, FOUR, rank=1, other=0, site=THERE, ordinal=1, when=98.0),
        noticed("count", THREE, FOUR, rank=2, other=0, site=THERE, ordinal=1, when=99.0),
    )
    held = [of_before(), of_before()]
    text = table(job(rank(0), rank(1, held[0]), rank(2, held[1]), findings=found))  # type: ignore[arg-type]
    assert "rank 1  held by the sanitizer in Barrier() (JS101)" in text
    assert "rank 2  held by the sanitizer in Allreduce(op=SUM), 3 x float64 (JS101)" in text


def test_a_receive_that_is_held() -> None:
    room = signature("MPI_Recv", "float", 8, 1)
    found = noticed("count", room, FOUR, kind="message", rank=1, other=0, site=THERE, mine_bytes=8, theirs_bytes=32)
    text = table(job(rank(0), rank(1, of_before()), findings=(found,)))  # type: ignore[arg-type]
    assert "rank 1  held by the sanitizer, which receives 1 x float64 (8 bytes) (JS206)" in text


def test_warnings_hold_no_rank() -> None:
    found = noticed("byte_note", THREE, FOUR, rank=1, ordinal=1)
    text = table(job(rank(0), rank(1, of_before("blocked")), findings=(found,)))  # type: ignore[arg-type]
    assert "JS" not in text


# --- the end of a program --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("python", "has_line"), [(True, False), (False, True)])
def test_finalize_of_an_interpreter_has_no_line(python: bool, has_line: bool) -> None:
    last = replace(running(), function="MPI_Finalize", site=NativeSite("/lib/libpython.so", "", 64, None, ()))
    barrier = blocked("Barrier", collective(1), signed=BARRIER)
    snapshot = job(rank(0, barrier), rank(1, last, state="finalizing", python=python))
    knot = analyse(replace(snapshot, communicators=(communicator([1, 0]),)))
    assert knot is not None
    (found,) = deadlocks.judge(knot, replace(snapshot, communicators=(communicator([1, 0]),)), no_history)
    assert [side.site is not None for side in found.sides if side.ranks == (1,)] == [has_line]


def raised(make: Callable[[], object]) -> str:
    """The traceback of what a function raises."""
    try:
        make()
    except Exception as error:
        return "".join(traceback.format_exception(error))
    raise AssertionError


def with_note() -> None:
    error = ValueError("no data\nfor step 3")
    error.add_note("a note\n  indented")
    raise error


def in_a_group() -> None:
    raise ExceptionGroup("two", [ValueError("one"), TypeError("other")])


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (with_note, "ValueError: no data"),
        (in_a_group, "ExceptionGroup: two (2 sub-exceptions)"),
        (lambda: compile("a b", "x.py", "exec"), "SyntaxError: invalid syntax"),
        (lambda: vars(report)["k"], "KeyError: 'k'"),
    ],
    ids=["note", "group", "syntax", "key"],
)
def test_an_exception_in_one_line(make: Callable[[], object], line: str) -> None:
    assert last_line(raised(make)) == line


# --- parts of collectives with counts --------------------------------------------------------------------------------


def part(base: str, elements: int) -> Signature:
    return signature("MPI_Alltoallv", base, 8, elements, count_known=False)


@pytest.mark.parametrize(
    ("sends", "mine", "theirs", "said"),
    [
        (True, part("float", 1), part("signed", 1), (0, "1 x float64 (8 bytes)", 1, "1 x int64 (8 bytes)")),
        (True, part("float", 2), part("float", 1), (0, "2 x float64 (16 bytes)", 1, "1 x float64 (8 bytes)")),
        (False, part("float", 2), part("float", 1), (1, "1 x float64 (8 bytes)", 0, "2 x float64 (16 bytes)")),
        (True, part("nothing", 0), part("float", 1), (0, "24 bytes", 1, "1 x float64 (8 bytes)")),
    ],
    ids=["type", "count", "receiver", "unknown type"],
)
def test_parts_show_what_differs(
    sends: bool, mine: Signature, theirs: Signature, said: tuple[int, str, int, str]
) -> None:
    raw = noticed(
        "part", mine, theirs, kind="counts", rank=0, other=1, site=HERE, mine_bytes=mine.bytes or 24,
        theirs_bytes=theirs.bytes, text="sends" if sends else "receives",
    )  # fmt: skip
    found = mismatches.parts(raw, job(rank(0), rank(1)), no_history)
    source, sent, destination, expected = said
    message = f"rank {source} sends {sent} to rank {destination}, which expects {expected}"
    assert found.message == f"{message}: collective 1 on MPI_COMM_WORLD"
    assert found.sides[0].call == "Alltoallv()"
    words = {side.remark for side in found.sides}
    assert len(words) == 2, words
    assert ("type" in found.help) is (mine.bytes == theirs.bytes)


def test_a_part_that_differs_from_the_ranks_own_entry() -> None:
    raw = noticed(
        "part", part("float", 2), part("float", 3), kind="counts", rank=0, other=None, text="own", mine_bytes=16,
        theirs_bytes=24,
    )  # fmt: skip
    found = mismatches.parts(raw, job(rank(0)), no_history)
    assert found.message == (
        "rank 0 sends 2 x float64 (16 bytes), its own entry in the counts is 3 x float64 (24 bytes): "
        "collective 1 on MPI_COMM_WORLD"
    )


# --- requests and messages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "name"), [("comm.isend(1, 2)", "isend"), ("comm.Isend(x, 2)", "Isend")])
def test_incomplete_requests_name_function_and_number(tmp_path: Path, line: str, name: str) -> None:
    (tmp_path / "a.py").write_text(f"{line}\n")
    site = Site(str(tmp_path / "a.py"), 1, "f")
    made = {"kind": "unfinished", "rank": 0, "other": None, "site": site, "text": "MPI_Isend", "mine_bytes": 3}
    raw = noticed("nothing", BARRIER, BARRIER, **made)
    found = mismatches.single(raw, job(rank(0)))
    assert (found.code, found.message) == ("JS303", f"rank 0: 3 requests of {name} never completed")


@pytest.mark.parametrize(
    ("function", "wait", "text"),
    [
        ("Recv", receive(None, None), "Recv(source=ANY_SOURCE, tag=ANY_TAG)"),
        ("Waitall", receive(None, None), "Waitall() for a receive (source=ANY_SOURCE, tag=ANY_TAG)"),
        ("Wait", receive(1, 5), "Wait() for a receive (source=1, tag=5)"),
        ("Wait", send(1, 5), "Wait() for a send (dest=1, tag=5)"),
        ("Sendrecv", receive(None, 4), "Sendrecv(source=ANY_SOURCE, recvtag=4)"),
        ("Sendrecv", send(1, 3), "Sendrecv(dest=1, sendtag=3)"),
    ],
)
def test_arguments_are_those_of_the_call(function: str, wait: Wait, text: str) -> None:
    assert wording.wait(job(rank(0), rank(1)), blocked(function, wait), wait) == text


@pytest.mark.parametrize(
    ("wait", "verb"), [(receive(0), "send"), (send(0, kind="synchronous_send"), "receive"), (receive(0, None), "send")]
)
def test_a_rank_that_waits_for_itself(wait: Wait, verb: str) -> None:
    snapshot = job(rank(0, blocked("Recv", wait)), rank(1, running()))
    knot = analyse(snapshot)
    assert knot is not None
    (found,) = deadlocks.judge(knot, snapshot, no_history)
    assert found.code == "JS201"
    assert found.message.startswith("rank 0 waits for itself in Recv(")
    assert found.message.endswith(f"): only rank 0 could {verb} this message")
    assert [side.remark for side in found.sides] == ["waits for itself"]
    assert "no rank" not in report.plain(report.lines(found))
    assert "message of a rank to itself" in found.help


def waiting_for_a_persistent_request(*later: Record, function: str = "Send_init") -> Finding:
    """Rank 1 waits for a message of rank 0, which has ended and made a persistent request for it."""
    snapshot = job(rank(0, state="finalizing"), rank(1, blocked("Recv", receive(0, 3))))
    knot = analyse(snapshot)
    assert knot is not None
    made = record(1, 0, function, peer=1, tag=3, site=HERE)
    past = {0: [made, *later]}
    (found,) = deadlocks.judge(knot, snapshot, lambda number: past.get(number, ()))
    return found


def test_a_persistent_request_that_was_never_started() -> None:
    note = "rank 0 made a persistent request (Send_init to rank 1 at /app/train.py:10) and never started it"
    for function in ("Send_init", "Send_init_c"):
        assert note in waiting_for_a_persistent_request(function=function).notes


@pytest.mark.parametrize("function", ["Start", "Startall"])
def test_a_persistent_request_that_was_started(function: str) -> None:
    assert waiting_for_a_persistent_request(record(2, 0, function, peer=1, tag=3)).notes == ()


def test_the_start_of_another_persistent_request() -> None:
    assert waiting_for_a_persistent_request(record(2, 0, "Start", peer=1, tag=4)).notes != ()


def notes_on_a_persistent_collective(*later: Record, function: str = "Allreduce_init") -> list[str]:
    """Rank 1 waits for a collective that both ranks made; ``later`` are the calls of rank 0 after it."""
    snapshot = job(rank(0, running()), rank(1, blocked("Wait", collective(1))))
    past = {number: [record(1, number, function, site=HERE)] for number in range(2)}
    past[0] += later
    past[1].append(record(2, 1, "Start"))
    return list(unstarted.collectives(snapshot, past.__getitem__))


def test_a_persistent_collective_that_was_not_started() -> None:
    note = "rank 0 made a persistent collective (Allreduce_init at /app/train.py:10) and has not started it"
    assert notes_on_a_persistent_collective(record(2, 0, "Wait")) == [note]
    assert not notes_on_a_persistent_collective(record(2, 0, "Start"))
    assert not notes_on_a_persistent_collective(function="Iallreduce")


# --- many ranks, wide tables, related rules --------------------------------------------------------------------------


def wide() -> Finding:
    groups = [tuple(range(first, 32, 3)) for first in range(3)]
    cells = tuple(f"train.py:{number} Allreduce(op=SUM), 10 x float64" for number in range(3))
    past = Past(tuple(groups), (Row(1, cells), Row(2, cells, True)))
    return Finding("JS101", "x", tuple(range(32)), tuple(Side(one, "Barrier()", HERE) for one in groups), past=past)


def rows_of(text: str) -> list[str]:
    """The lines of the table of a report."""
    return text[text.index("  the last collectives") :].partition("\n\n")[0].splitlines()


@pytest.mark.parametrize("columns", [80, 100, 132])
def test_tables_are_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = report.plain(report.lines(wide()))
    assert len(rows_of(text)) == 4
    assert max(map(len, rows_of(text))) <= columns
    assert "11 ranks (0, 3, 6, ..., 30)" in text


def test_a_stored_table_is_cut_to_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    whole = report.plain(report.lines(wide()))
    (tmp_path / "report.txt").write_text(whole)
    monkeypatch.setenv("COLUMNS", "80")
    assert command.main(["report", str(tmp_path)]) == 0
    assert max(map(len, rows_of(capsys.readouterr().out))) == 80 < max(map(len, rows_of(whole)))
    monkeypatch.delenv("COLUMNS")
    assert command.main(["report", str(tmp_path)]) == 0
    assert capsys.readouterr().out == whole  # no terminal: as it was stored


def test_related_rules_begin_with_the_ones_that_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_arguments: object, **_named: object) -> object:
        raise subprocess.TimeoutExpired("jaxmpi-lint", 1)

    monkeypatch.setattr(subprocess, "run", late)
    monkeypatch.chdir(tmp_path)  # the launcher may run in a different folder
    (tmp_path / "a.py").write_text("\n")
    expected = {
        "JS101": "JM101, JM102, JM605, JM801 and 13 more",
        "JS103": "JM119, JM803, JM801",
        "JS104": "JM120, JM101, JM102, JM605 and 2 more",
        "JS105": "JM121, JM205, JM605",
        "JS202": "JM312, JM313, JM314, JM101",
    }
    for code, rules in expected.items():
        sites = (Site(str(tmp_path / "a.py"), 1, "f"), Site(subprocess.__file__, 1, "a line of a library"))
        finding = Finding(code, "", (0,), tuple(Side((0,), "", site) for site in sites))
        told = linting.explain(finding, 1)
        assert told is not None
        assert told.text == f"run `jaxmpi-lint {tmp_path / 'a.py'}`; related rules: {rules}"
