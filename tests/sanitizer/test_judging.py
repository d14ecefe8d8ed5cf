"""From raw observations and knots to findings: code, ranks, words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.findings import catalogue, report, wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging import buffering, deadlocks, hash_divergence, mismatches
from jaxmpi_lint.runtime.judging.wait_for_graph import analyse
from jaxmpi_lint.runtime.ledger.snapshot import Record, Signature, Site, Snapshot
from jaxmpi_lint.runtime.reports import jsonl
from jaxmpi_lint.runtime.reports.suppressions import Suppressions
from sanitizer.snapshots import (
    blocked,
    collective,
    communicator,
    job,
    messages,
    noticed,
    rank,
    receive,
    record,
    running,
    send,
    signature,
)

HERE = Site("/app/train.py", 10, "step")
THERE = Site("/app/train.py", 20, "step")


def no_history(_rank: int) -> Sequence[Record]:
    return ()


def findings(snapshot: Snapshot, possible: bool = False) -> list[Finding]:
    knot = analyse(snapshot, possible=possible)
    assert knot is not None
    return deadlocks.judge(knot, snapshot, no_history)


SUM = signature("MPI_Allreduce", "float", 8, 3, reduction="MPI_SUM")

DIFFERENCES: list[tuple[str, str, Signature, str]] = [
    ("kind", "JS101", signature("MPI_Bcast", root=0), "rank 1 is in Bcast; rank 0 is in Allreduce"),
    ("blocking", "JS102", replace(SUM, non_blocking=True), "rank 1 is in Iallreduce; rank 0 is in Allreduce"),
    ("reduction", "JS104", replace(SUM, reduction="MPI_MAX"), "rank 1 reduces with MAX; rank 0 reduces with SUM"),
    ("count", "JS105", replace(SUM, elements=4, bytes=32), "rank 1 passes 4 x float64 to Allreduce"),
    ("type", "JS106", replace(SUM, base="signed"), "rank 1 passes int64 to Allreduce; rank 0 passes float64"),
    ("in_place", "JS107", replace(SUM, in_place=True), "rank 1 passes IN_PLACE to Allreduce; rank 0 passes two"),
]


@pytest.mark.parametrize(("difference", "code", "odd", "text"), DIFFERENCES, ids=[row[1] for row in DIFFERENCES])
def test_difference_of_two(difference: str, code: str, odd: Signature, text: str) -> None:
    raw = noticed(difference, odd, SUM, rank=1, other=0, site=HERE, other_site=THERE)
    found = mismatches.mismatch([raw], job(rank(0), rank(1)), no_history)
    parts = text.split("; ")
    assert found.code == code
    assert all(part in found.message for part in parts)
    assert not any(side.odd for side in found.sides)


def test_majority_and_the_odd_one() -> None:
    zero, one = signature("MPI_Bcast", root=0), signature("MPI_Bcast", root=1)
    inside = [
        rank(number, blocked("Bcast", collective(1), signed=one if number == 2 else zero, site=HERE))
        for number in range(4)
    ]
    raw = noticed("root", one, zero, rank=2, other=0)
    found = mismatches.mismatch([raw], job(*inside, communicators=(communicator([1] * 4),)), no_history)
    assert found.message.startswith("rank 2 passes root=1 to Bcast; ranks 0, 1 and 3 pass root=0 to Bcast")
    assert [(side.ranks, side.odd) for side in found.sides] == [((0, 1, 3), False), ((2,), True)]


def test_rank_that_has_gone_on_is_found_in_its_history() -> None:
    zero, one = signature("MPI_Bcast", root=0), signature("MPI_Bcast", root=1)
    past = {0: [record(1, 0, "Bcast", ordinal=0, signature=zero, site=THERE), record(2, 0, "Barrier", ordinal=1)]}
    raw = noticed("root", one, zero, rank=1, other=2)
    snapshot = job(rank(0), rank(1), rank(2), communicators=(communicator([2, 1, 1]),))
    found = mismatches.mismatch([raw], snapshot, lambda number: past.get(number, []))
    assert found.sides[0].ranks in ((0,), (0, 2))
    assert set(found.ranks) == {0, 1, 2}


def test_pickled_method_is_named_as_the_user_wrote_it() -> None:
    mine = replace(signature("MPI_Allreduce", reduction="MPI_MAX"), pickled=True)
    theirs = replace(mine, reduction="MPI_SUM")
    label = "Intracomm.allreduce"
    inside = [
        rank(0, blocked("Allgather", collective(1), signed=theirs, label=label)),
        rank(1, blocked("Allgather", collective(1), signed=mine, label=label)),
    ]
    found = mismatches.mismatch([noticed("reduction", mine, theirs)], job(*inside), no_history)
    assert {side.call for side in found.sides} == {"allreduce(op=SUM)", "allreduce(op=MAX)"}


def test_leaks_of_several_ranks_are_one_finding() -> None:
    raw = [noticed("nothing", SUM, SUM, kind="leak", rank=n, other=None, site=HERE, text="2 left") for n in range(3)]
    found = mismatches.merged([mismatches.single(one, job(rank(0), rank(1), rank(2))) for one in raw])
    assert [(one.code, one.ranks) for one in found] == [("JS302", (0, 1, 2))]


def test_truncated_message() -> None:
    small, large = replace(SUM, function="", elements=1, bytes=8), replace(SUM, function="", elements=4, bytes=32)
    raw = noticed("count", small, large, kind="message", rank=1, other=0, mine_bytes=8, theirs_bytes=32, site=HERE)
    found = mismatches.single(raw, job(rank(0), rank(1)))
    assert found.code == "JS206"
    assert "rank 1 receives 4 x float64 (32 bytes) from rank 0" in found.message
    assert "has room for only 1 x float64" in found.message


# --- deadlock ---------------------------------------------------------------------------------------------------------


def test_cycle_of_receives() -> None:
    snapshot = job(rank(0, blocked("Recv", receive(1), site=HERE)), rank(1, blocked("Recv", receive(0), site=THERE)))
    (found,) = findings(snapshot)
    assert (found.code, found.ranks, found.closed) == ("JS201", (0, 1), True)
    assert [step.call for step in found.steps] == ["Recv(source=1, tag=0)", "Recv(source=0, tag=0)"]


def test_two_cycles_are_two_findings() -> None:
    pairs = [rank(number, blocked("Recv", receive(number ^ 1))) for number in range(4)]
    assert [one.ranks for one in findings(job(*pairs))] == [(0, 1), (2, 3)]


def test_ring() -> None:
    ring = job(*[rank(number, blocked("Recv", receive((number + 1) % 5))) for number in range(5)])
    (found,) = findings(ring)
    assert (found.code, len(found.steps)) == ("JS201", 5)


def test_large_sends() -> None:
    snapshot = job(rank(0, blocked("Send", send(1, ordinal=1))), rank(1, blocked("Send", send(0, ordinal=1))))
    (found,) = findings(snapshot, possible=True)
    assert found.code == "JS201"
    assert any("for small messages" in note for note in found.notes)


def test_crossed_communicators() -> None:
    both = (communicator([1, 0], 1, "row"), communicator([0, 1], 2, "column"))
    snapshot = job(
        rank(0, blocked("Allreduce", collective(1, 1), signed=SUM)),
        rank(1, blocked("Allreduce", collective(1, 2), signed=SUM)),
        communicators=both,
    )
    (found,) = findings(snapshot)
    assert (found.code, found.ranks) == ("JS207", (0, 1))
    assert "row and column" in found.message


def test_barrier_against_receive() -> None:
    barrier = blocked("Barrier", collective(1), signed=signature("MPI_Barrier"))
    snapshot = job(
        rank(0, barrier),
        rank(1, blocked("Recv", receive(0))),
        rank(2, barrier),
        communicators=(communicator([1, 0, 1]),),
    )
    (found,) = findings(snapshot)
    assert found.code == "JS208"
    assert (
        found.message == "rank 1 waits in Recv(source=0, tag=0) and never reaches Barrier(), where ranks 0 and 2 wait"
    )


def test_wrong_tag_is_pointed_out() -> None:
    snapshot = job(rank(0, blocked("Recv", receive(1, 7))), rank(1, state="finalizing"))
    (found,) = findings(replace(snapshot, channels=(messages(1, 0, 8, sent=1),)))
    assert found.code == "JS202"
    assert "1 message from rank 1 with tag=8" in found.notes[0]


LEFT = [
    ({"state": "finalizing"}, "reached the end of its program"),
    ({"state": "exited", "exit_status": 3}, "exited with status 3"),
    ({"state": "vanished"}, "was killed or ended silently"),
    ({"state": "vanished", "exit_status": -11}, "was killed by SIGSEGV"),
    ({"state": "vanished", "exit_status": 3}, "exited with status 3 at once, by _exit"),
    ({"state": "aborted", "exit_status": 5}, "called Abort(5)"),
    (
        {"state": "finalizing", "raised": True, "farewell": "Traceback\nValueError: no data\n"},
        "raised ValueError: no data",
    ),
]


@pytest.mark.parametrize(("how", "text"), LEFT, ids=[text for _, text in LEFT])
def test_rank_that_left_before_a_collective(how: dict[str, object], text: str) -> None:
    barrier = blocked("Barrier", collective(1), signed=signature("MPI_Barrier"))
    snapshot = job(rank(0, barrier), rank(1, running(), **how), communicators=(communicator([1, 0]),))
    (found,) = findings(snapshot)
    assert found.code == "JS108"
    assert (
        found.message == f"rank 1 ended ({text}) while rank 0 waits for it in Barrier, collective 1 on MPI_COMM_WORLD"
    )


def test_ranks_that_left_are_told_in_the_plural() -> None:
    barrier = blocked("Barrier", collective(1), signed=signature("MPI_Barrier"))
    gone = [rank(number, running(), state="finalizing") for number in (1, 2)]
    (found,) = findings(job(rank(0, barrier), *gone, communicators=(communicator([1, 0, 0]),)))
    assert found.message.startswith("ranks 1 and 2 ended (reached the end of their programs) while rank 0 waits")


def test_line_that_raised_is_the_place_of_the_rank_that_left() -> None:
    trace = 'Traceback (most recent call last):\n  File "/app/train.py", line 7, in load\nValueError: no data\n'
    snapshot = job(rank(0, blocked("Recv", receive(1))), rank(1, state="finalizing", raised=True, farewell=trace))
    (found,) = findings(snapshot)
    assert found.sides[-1].site == Site("/app/train.py", 7, "load")


# --- the end ----------------------------------------------------------------------------------------------------------


def test_sequences_that_diverged_unseen() -> None:
    world = communicator([5, 5])
    world = replace(world, lanes=(replace(world.lanes[0], rolling=1), replace(world.lanes[1], rolling=2)))
    snapshot = job(rank(0, state="finalizing"), rank(1, state="finalizing"), communicators=(world,))
    assert [one.code for one in hash_divergence.diverged(snapshot, no_history)] == ["JS112"]
    past = {
        0: [record(1, 0, "Bcast", ordinal=4, signature=signature("MPI_Bcast", root=0))],
        1: [record(1, 1, "Bcast", ordinal=4, signature=signature("MPI_Bcast", root=1))],
    }
    assert [one.code for one in hash_divergence.diverged(snapshot, lambda number: past[number])] == ["JS103"]


def message(name: str) -> Signature:
    """What a record of such a call says of its message."""
    roles = {"Isend": "Send", "Irecv": "Recv", "Sendrecv 0": "Send", "Sendrecv 1": "Recv"}
    return signature(f"MPI_{roles.get(name, name)}", "float", 8, 4)


def exchange(first: str, second: str, tag: int = 0) -> dict[int, list[Record]]:
    """Two ranks that do `first` and then `second` with each other."""
    return {
        me: [
            record(
                n, me, name, peer=1 - me, tag=tag, ordinal=1, site=Site("/app/halo.py", n, "f"), signature=message(name)
            )
            for n, name in enumerate((first, second), 1)
        ]
        for me in (0, 1)
    }


def test_send_before_receive_relies_on_buffering() -> None:
    snapshot = job(rank(0, state="finalizing"), rank(1, state="finalizing"))
    (found,) = buffering.reliances(snapshot, exchange("Send", "Recv"))
    assert (found.code, found.severity, found.ranks) == ("JS203", "warning", (0, 1))
    assert {site.line for site in found.sites} == {1}
    (found,) = buffering.reliances(snapshot, exchange("Send", "Recv"), as_error=True)
    assert found.severity == "error"


def test_buffered_sends_are_safe() -> None:
    assert buffering.reliances(job(rank(0), rank(1)), exchange("Bsend", "Recv")) == []


def waited(order: Sequence[str]) -> dict[int, list[Record]]:
    """Two ranks that exchange a message in the non-blocking calls named, waits included."""
    histories: dict[int, list[Record]] = {0: [], 1: []}
    for me, own in histories.items():
        requests = {"Isend": 1, "Irecv": 2}
        for number, step in enumerate(order, 1):
            name, _, of = step.partition(" ")
            known = {"peer": 1 - me, "tag": 0, "ordinal": 1, "site": Site("/app/halo.py", number, "f")}
            known["signature"] = message(of or name)
            own.append(record(number, me, name, request=requests.get(of or name, 0), **known))
    return histories


def test_receive_posted_before_the_send_is_safe() -> None:
    snapshot = job(rank(0), rank(1))
    assert buffering.reliances(snapshot, waited(["Irecv", "Send", "Wait Irecv"])) == []
    assert buffering.reliances(snapshot, waited(["Irecv", "Isend", "Waitall Isend", "Waitall Irecv"])) == []
    assert buffering.reliances(snapshot, waited(["Isend", "Recv", "Wait Isend"])) == []


def test_send_before_a_matched_receive_relies_on_buffering() -> None:
    histories = exchange("Send", "Mrecv")
    for own in histories.values():
        own[1] = replace(own[1], signature=message("Probe"))
        own.insert(1, replace(own[1], serial=2, function="MPI_Mprobe"))
    (found,) = buffering.reliances(job(rank(0), rank(1)), histories)
    assert {site.line for site in found.sites} == {1}


def test_wait_for_a_send_before_the_receive_relies_on_buffering() -> None:
    (found,) = buffering.reliances(job(rank(0), rank(1)), waited(["Isend", "Wait Isend", "Recv"]))
    assert {site.line for site in found.sites} == {2}


def test_exchange_in_one_call_is_safe() -> None:
    def half_of(half: int) -> Signature:
        return message(f"Sendrecv {half}")

    histories = {
        me: [
            record(2 * turn + half + 1, me, "Sendrecv", peer=1 - me, tag=0, ordinal=turn + 1, signature=half_of(half))
            for turn in range(3)
            for half in (0, 1)
        ]
        for me in (0, 1)
    }
    assert buffering.reliances(job(rank(0), rank(1)), histories) == []
    beheaded = {me: own[1:] for me, own in histories.items()}
    assert buffering.reliances(job(rank(0), rank(1)), beheaded) == []


def test_ordered_exchange_is_safe() -> None:
    histories = exchange("Send", "Recv")
    histories[1].reverse()
    assert buffering.reliances(job(rank(0), rank(1)), histories) == []


def test_send_across_a_barrier_relies_on_buffering() -> None:
    barrier = signature("MPI_Barrier")
    histories = {
        0: [
            record(1, 0, "Send", peer=1, tag=0, ordinal=1, site=HERE, signature=message("Send")),
            record(2, 0, "Barrier", ordinal=0, signature=barrier),
        ],
        1: [
            record(1, 1, "Barrier", ordinal=0, signature=barrier),
            record(2, 1, "Recv", peer=0, tag=0, ordinal=1, signature=message("Recv")),
        ],
    }
    assert [one.code for one in buffering.reliances(job(rank(0), rank(1)), histories)] == ["JS203"]


def test_what_left_the_history_is_not_judged() -> None:
    histories = exchange("Send", "Recv")
    histories[1] = []
    assert buffering.reliances(job(rank(0), rank(1)), histories) == []


# --- how it looks -----------------------------------------------------------------------------------------------------


def test_report_shows_source_majority_and_remedy(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("x = 1\ncomm.Bcast(x, root=owner)\n")
    zero, one = signature("MPI_Bcast", root=0), signature("MPI_Bcast", root=1)
    raw = noticed("root", one, zero, rank=1, other=0, site=Site(str(program), 2, "main"), other_site=HERE)
    found = mismatches.mismatch([raw], job(rank(0), rank(1)), no_history)
    text = report.plain(report.lines(found, "2 ranks", "the job ends with exit code 66"))
    assert "JS103 error: rank 0 passes root=0 to Bcast; rank 1 passes root=1 to Bcast" in text
    assert "2 | comm.Bcast(x, root=owner)" in text
    assert "help: Pass the same `root`" in text
    assert text.isascii()


def test_json_has_the_fixed_form() -> None:
    raw = noticed("reduction", SUM, replace(SUM, reduction="MPI_MAX"), site=HERE, other_site=THERE)
    one = jsonl.as_object(mismatches.mismatch([raw], job(rank(0), rank(1)), no_history), "JM101")
    assert {"kind", "code", "severity", "ranks", "message", "communicator", "locations", "rule"} <= set(one)
    assert (one["code"], one["rule"], one["ranks"]) == ("JS104", "JM101", [0, 1])
    assert {(place["rank"], place["line"]) for place in one["locations"]} == {(1, 10), (0, 20)}


def test_suppressions_by_file_function_and_comment(tmp_path: Path) -> None:
    program = tmp_path / "halo.py"
    program.write_text("comm.Send(x, 1)  # jaxmpi-lint: ignore[JS203] small\ncomm.Send(x, 1)\n")
    listed = tmp_path / "quiet"
    listed.write_text("# ours\nJS203 function:exchange* known\nJS201 file:*/none.py\nnonsense\n")
    suppressions = Suppressions.read(str(listed))
    assert len(suppressions.problems) == 1

    def found(line: int, function: str) -> Finding:
        site = Site(str(program), line, function)
        return replace(Finding("JS203", "m", (0,)), sides=(Side((0,), "Send()", site),))

    assert suppressions.covers(found(2, "exchange_halo"))
    assert suppressions.covers(found(1, "other"))
    assert not suppressions.covers(found(2, "other"))
    assert suppressions.summary()[0] == "suppressed 1 x JS203 function:exchange* (known)"


def test_page_of_codes_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / catalogue.PAGE
    assert page.read_text(encoding="utf-8") == catalogue.page(), (
        "run `python -m jaxmpi_lint.runtime.findings.catalogue`"
    )


def test_names_of_codes_are_slugs() -> None:
    names = [entry.name for entry in catalogue.CODES.values()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40] == []


NUMBERS = [
    ((), "no rank"),
    ((3,), "rank 3"),
    ((0, 1, 5), "ranks 0, 1 and 5"),
    ((*range(63), 64), "ranks 0-62 and 64"),
    (range(0, 16, 2), "ranks 0, 2, 4, 6, 8, 10, 12 and 14"),
    (range(0, 33, 3), "11 ranks (0, 3, 6, ..., 30)"),
    ([n for n in range(100) if n % 10 < 4], "40 ranks (0-3, 10-13, 20-23, ..., 90-93)"),
]


@pytest.mark.parametrize(("numbers", "text"), NUMBERS, ids=[text for _, text in NUMBERS])
def test_number_of_ranks_comes_before_a_shortened_list(numbers: Sequence[int], text: str) -> None:
    assert wording.ranks(numbers) == text


def test_one_defect_on_many_ranks_is_one_message() -> None:
    leak = Finding("JS302", "", (), (Side((0,), "", HERE),))
    ones = [replace(leak, message=f"rank {one}: 3 communicators", ranks=(one,)) for one in range(0, 40, 2)]
    (found,) = mismatches.merged(ones)
    assert found.message == "20 ranks (0, 2, 4, ..., 38): 3 communicators"


def test_a_part_that_both_ranks_of_a_pair_detect_is_described_once() -> None:
    def parts(sender: int, receiver: int) -> Finding:
        sides = (Side((sender,), "Alltoallv()", HERE, "sends 1"), Side((receiver,), "Alltoallv()", HERE, "expects 2"))
        message = f"rank {sender} sends 1 to rank {receiver}, which expects 2: collective 1"
        return Finding("JS110", message, (0, 1), sides)

    (found,) = mismatches.merged([parts(0, 1), parts(1, 0)])
    assert found.message == "rank 0 sends 1 to rank 1, which expects 2: collective 1"
    assert [(side.ranks, side.remark) for side in found.sides] == [((0,), "sends 1"), ((1,), "expects 2")]


def test_rules_of_the_catalogue_exist() -> None:
    from jaxmpi_lint.rules import registry

    known = {rule.code for rule in registry.load()}
    assert {rule for entry in catalogue.CODES.values() for rule in entry.rules} <= known
