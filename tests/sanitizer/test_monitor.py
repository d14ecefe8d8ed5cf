"""The monitor's decisions, look by look, on a ledger that the test makes up."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.judging import ending
from jaxmpi_lint.runtime.judging.deaths import Death, Deaths, Verdict
from jaxmpi_lint.runtime.ledger.snapshot import Rank, Site, Snapshot
from jaxmpi_lint.runtime.monitor.monitor import Monitor
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions
from sanitizer.snapshots import (
    NOTHING,
    FakeBook,
    blocked,
    collective,
    communicator,
    job,
    noticed,
    rank,
    receive,
    running,
    send,
    signature,
)

BARRIER = blocked("Barrier", collective(1), signed=signature("MPI_Barrier"))
RECV_RECV = job(rank(0, blocked("Recv", receive(1))), rank(1, blocked("Recv", receive(0))))


def watch(book: FakeBook, folder: Path) -> tuple[Monitor, io.StringIO]:
    stream = io.StringIO()
    book.options = ":".join(filter(None, [book.options, f"log_dir={folder}"]))
    return Monitor(book, ReportSink(stream, "", MonitorOptions.parse(book.options))), stream


def worked(snapshot: Snapshot, seconds: float) -> Snapshot:
    """The same job after each blocked thread has used so much processor time."""

    def later(one: Rank) -> Rank:
        return replace(one, threads=tuple(replace(t, cpu_seconds=t.cpu_seconds + seconds) for t in one.threads))

    return replace(snapshot, taken=snapshot.taken + seconds, ranks=tuple(later(one) for one in snapshot.ranks))


def test_certain_deadlock_ends_the_job_once_the_threads_have_settled(tmp_path: Path) -> None:
    book = FakeBook([RECV_RECV])
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    early = book.ended
    book.looks = [worked(RECV_RECV, 0.02)]
    monitor.look()
    assert (early, book.ended) == (None, 66)
    assert "JS201 error" in stream.getvalue()


def test_descheduled_threads_prove_nothing(tmp_path: Path) -> None:
    book = FakeBook([RECV_RECV])
    monitor, stream = watch(book, tmp_path)
    for seconds in range(5):
        book.looks = [replace(RECV_RECV, taken=100.0 + seconds)]
        monitor.look()
    assert (book.ended, stream.getvalue()) == (None, "")


def test_possible_deadlock_needs_more_time_in_the_call(tmp_path: Path) -> None:
    sends = job(rank(0, blocked("Send", send(1, ordinal=1))), rank(1, blocked("Send", send(0, ordinal=1))))
    book = FakeBook([sends])
    monitor, _ = watch(book, tmp_path)
    monitor.look()
    book.looks = [worked(sends, 0.1)]
    monitor.look()
    early = book.ended
    book.looks = [worked(sends, 0.25)]
    monitor.look()
    assert (early, book.ended) == (None, 66)


def test_python_thread_elsewhere_forbids_proof(tmp_path: Path) -> None:
    helper = "Thread 100 (most recent call first):\nThread 555 (most recent call first):\n"
    book = FakeBook([worked(RECV_RECV, 0.0)], stacks={1: helper})
    monitor, stream = watch(book, tmp_path)
    for seconds in (0.0, 0.5, 1.0):
        book.looks = [worked(RECV_RECV, seconds)]
        monitor.look()
    assert (book.ended, stream.getvalue()) == (None, "")


def test_rank_that_does_not_answer_forbids_proof(tmp_path: Path) -> None:
    class Silent(FakeBook):
        def ask_stacks(self, rank: int, seconds: float) -> str | None:
            return None

    book = Silent([RECV_RECV])
    monitor, _ = watch(book, tmp_path)
    for seconds in (0.0, 0.5, 1.0):
        book.looks = [worked(RECV_RECV, seconds)]
        monitor.look()
    assert book.ended is None


def mismatched(**more: object) -> Snapshot:
    zero, one = signature("MPI_Bcast", root=0), signature("MPI_Bcast", root=1)
    inside = rank(0, blocked("Bcast", collective(1), signed=zero)), rank(1, blocked("Bcast", collective(1), signed=one))
    raw = noticed("root", one, zero, when=90.0)
    return replace(job(*inside), communicators=(communicator([1, 1]),), findings=(raw,), **more)  # type: ignore[arg-type]


def test_mismatch_ends_the_job(tmp_path: Path) -> None:
    book = FakeBook([mismatched()])
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    assert (book.ended, book.dealt) == (66, 0)
    assert "JS103 error" in stream.getvalue()


@pytest.mark.parametrize(("mode", "text"), [("continue", "may be corrupted"), ("raise", "fail with an MPI error")])
def test_mismatch_lets_the_ranks_go_on_if_asked(mode: str, text: str, tmp_path: Path) -> None:
    book = FakeBook([mismatched()], options=f"on_error={mode}")
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    assert (book.ended, book.dealt, book.suppressed) == (None, 1, [])
    assert text in stream.getvalue()


def freed_use(taken: float, *ranks: int) -> Snapshot:
    what = {"kind": "use_after_free", "other": None, "site": Site("/p/app.py", 4, "main"), "text": "MPI_Barrier on it"}
    used = [noticed("", NOTHING, NOTHING, rank=one, when=100.0, **what) for one in ranks]
    return job(rank(0, running()), rank(1, running()), taken=taken, findings=tuple(used))


def test_use_of_a_freed_communicator_names_all_ranks_that_follow_at_once(tmp_path: Path) -> None:
    book = FakeBook([freed_use(100.01, 0), freed_use(100.03, 0), freed_use(100.05, 0, 1)])
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    assert "JS301 error: ranks 0 and 1" in stream.getvalue()
    book = FakeBook([freed_use(100.01, 0), freed_use(100.2, 0), freed_use(100.3, 0, 1)])
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    assert "JS301 error: rank 0" in stream.getvalue()


def test_suppressed_mismatch_counts_for_nothing(tmp_path: Path) -> None:
    listed = tmp_path / "quiet"
    listed.write_text("JS103 file:*.py known\n")
    book = FakeBook([mismatched()], options=f"suppressions={listed}")
    raw = replace(mismatched().findings[0], site=None)
    from jaxmpi_lint.runtime.ledger.snapshot import Site

    book.looks = [replace(mismatched(), findings=(replace(raw, site=Site("/app/x.py", 3, "f")),))]
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    monitor.outlet.close()
    assert (book.ended, book.dealt, book.suppressed) == (None, 1, [0])
    assert stream.getvalue() == "jaxmpi-sanitize: suppressed 1 x JS103 file:*.py (known)\n"


def test_end_of_a_clean_job(tmp_path: Path) -> None:
    book = FakeBook([job(rank(0, state="finalizing"), rank(1, state="finalizing"))])
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    assert (book.released, book.ended, stream.getvalue()) == (True, None, "")


def test_dead_rank_is_marked(tmp_path: Path) -> None:
    book = FakeBook([job(rank(0, running()), rank(1, running(), alive=False))])
    monitor, _ = watch(book, tmp_path)
    monitor.look()
    monitor.look()
    assert book.vanished == [1]


STACK = 'Thread 1001 (most recent call first):\n  File "/app/slow.py", line 7, in load\n'


def stalled(**more: object) -> Snapshot:
    slow = replace(running(), function="MPI_Barrier", entered=60.0)
    waiting = rank(0, replace(BARRIER, entered=85.0))
    return replace(job(waiting, rank(1, slow)), communicators=(communicator([1, 0]),), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("action", "ended"), [("notice", None), ("exit", 66)])
def test_stall_notice_is_given_once(action: str, ended: int | None, tmp_path: Path) -> None:
    stacks: Mapping[int, str] = {1: STACK}
    book = FakeBook([stalled()], options=f"stall_action={action}", stacks=stacks)
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    monitor.look()
    assert book.ended == ended
    text = stream.getvalue()
    assert text.count("JS204 info") == 1
    assert "rank 0 has been waiting for rank 1 for 15 s" in text
    assert "/app/slow.py:7 in load" in text


def test_short_wait_is_no_stall(tmp_path: Path) -> None:
    book = FakeBook([stalled(taken=90.0)])
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    assert stream.getvalue() == ""


def test_further_findings_are_counted(tmp_path: Path) -> None:
    raw = [
        noticed("nothing", signature(""), signature(""), kind="leak", rank=n, other=None, text=f"{n}") for n in (0, 1)
    ]
    book = FakeBook([job(rank(0), rank(1), findings=tuple(raw))], options="max_reports=1")
    monitor, stream = watch(book, tmp_path)
    monitor.look()
    monitor.outlet.close()
    assert "1 further finding not shown (max_reports=1)" in stream.getvalue()


def test_killed_rank_for_which_the_others_waited(tmp_path: Path) -> None:
    world = (communicator([1, 0, 1]),)
    dead = {"alive": False, "state": "vanished"}
    everybody = job(rank(0, BARRIER, **dead), rank(1, running(), **dead), rank(2, BARRIER, **dead), communicators=world)
    for who, proven, severity in (({1}, True, "error"), ({0, 1}, False, "warning")):
        (found,) = ending.killed(everybody, Verdict(frozenset(who), proven), lambda _: ())
        assert (found.code, found.severity) == ("JS108", severity)
        assert "rank 1 ended (was killed or ended silently) while ranks 0 and 2 wait" in found.message
    assert not ending.killed(everybody, Verdict(frozenset({0, 1, 2}), False, outside=True), lambda _: ())


def test_killed_rank_for_which_no_rank_waited_yet() -> None:
    dead = {"alive": False, "state": "vanished"}
    ranks = (rank(0, running(), exit_status=-9, **dead), rank(1, running(), exit_status=-11, **dead))
    (found,) = ending.killed(job(*ranks), Verdict(frozenset({1}), True), lambda _: ())
    assert (found.code, found.severity) == ("JS108", "error")
    assert found.message.startswith("rank 1 ended (was killed by SIGSEGV), and the job was ended because of it")
    assert [side.remark for side in found.sides] == ["was killed by SIGKILL after rank 1", "was killed by SIGSEGV"]


def test_job_that_ends_all_its_ranks_at_once_has_no_culprit() -> None:
    dead = {"alive": False, "state": "vanished", "exit_status": 0}
    ranks = job(rank(0, running(), **dead), rank(1, running(), **dead))
    verdict = Verdict(frozenset({0, 1}), True)
    assert not ending.killed(ranks, verdict, lambda _: ())
    assert ending.how_it_ended(ranks, verdict) == "ranks 0 and 1 exited with status 0 at once, by _exit"


class UnseenDeaths(Deaths):
    """Deaths of which the kernel said nothing."""

    def __init__(self) -> None:
        self.launcher_asks = False

    def statuses(self, ranks: Collection[int], seconds: float) -> dict[int, int | None]:
        return {}

    def seen(self) -> list[Death]:
        return []

    def launcher_ended(self) -> float | None:
        return None


def test_killed_job_reports_where_all_ranks_were(tmp_path: Path) -> None:
    dead = {"alive": False, "state": "vanished"}
    book = FakeBook([job(rank(0, running(), **dead), rank(1, running(), **dead))])
    monitor, stream = watch(book, tmp_path)
    monitor.deaths = UnseenDeaths()
    monitor.look()
    assert "ranks 0 and 1 were killed or ended silently" in stream.getvalue()
    (stored,) = tmp_path.rglob("report.txt")
    assert "Where all ranks were" in stored.read_text()
    assert book.ended is None


def test_rank_that_aborts_continues_once_it_is_said_where_all_are(tmp_path: Path) -> None:
    aborting = rank(1, blocked("Abort", collective(2)), state="aborted", exit_status=17)
    book = FakeBook([job(rank(0, BARRIER), aborting)])
    monitor, stream = watch(book, tmp_path)
    monitor.deaths = UnseenDeaths()
    monitor.look()
    assert book.released
    monitor.look()
    assert stream.getvalue().count("rank 1 called Abort(17)") == 1, stream.getvalue()
    assert book.ended is None
