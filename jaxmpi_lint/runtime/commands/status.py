"""Show the state and call site of each rank in the jobs that are running on this host."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot
from jaxmpi_lint.runtime.reports import rank_table

_ANSWER = 20.0  # seconds; a monitor of many hosts looks about every 5 seconds, and later if hosts have much to send
_ELSEWHERE = {
    "root": f"the monitor has not answered within {_ANSWER:g} s: the ranks of other hosts are not shown",
    "leaf": "the ranks of other hosts are not shown; run this command on the host of rank 0 for all of them",
}
_HOME, _CLEAR = "\x1b[H", "\x1b[J"


def main(arguments: Sequence[str]) -> int:
    """Print every job of this user, or those that match; 1 if there is none."""
    parser = argparse.ArgumentParser(prog="jaxmpi-sanitize status", description=__doc__)
    parser.add_argument("job", nargs="?", default="", help="part of the job's name (default: all jobs of this user)")
    parser.add_argument(
        "--watch", nargs="?", type=_seconds, const=2.0, metavar="SECONDS",
        help="print again every so many seconds (2), in place on a terminal, until the last job ends",
    )  # fmt: skip
    given = parser.parse_args(arguments)
    shown = _shown(given.job)
    if not shown:
        which = f"no job {given.job!r}" if given.job else "no job"
        print(f"{which} with JAXMPI_SANITIZE=1 runs on this host as this user")
        return 1
    if given.watch is None:
        report.write(shown, sys.stdout)
        return 0
    with suppress(KeyboardInterrupt):
        while shown:
            _refresh(shown)
            time.sleep(given.watch)
            shown = _shown(given.job)
        print("the last job has ended")
    return 0


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds; give one such as 2")
    return value


def _refresh(shown: Sequence[Line]) -> None:
    """Print in place of what was printed before; in a file one after the other."""
    if sys.stdout.isatty():
        sys.stdout.write(_HOME + _CLEAR)
    report.write(shown, sys.stdout)


def _shown(name: str) -> list[Line]:
    """The lines of all jobs whose names contain this."""
    return [line for job, lines in (*_mpi_jobs(), *_jax_jobs()) if name in job for line in (*lines, ())]


def _mpi_jobs() -> Iterator[tuple[str, Iterator[Line]]]:
    try:
        from jaxmpi_lint.runtime.ledger import reader
        from jaxmpi_lint.runtime.ledger.reader import Ledger

        jobs = reader.live_jobs()
    except ImportError as error:
        raise UserError(
            f"the native core is not installed ({error}); reinstall jaxmpi-lint with a C++ compiler"
        ) from None
    for job in jobs:
        try:
            ledger = Ledger(str(job.ledger))
            snapshot = ledger.snapshot()
        except RuntimeError:
            continue  # it has just ended
        yield snapshot.job, _lines(snapshot, Path(ledger.directory))


def _jax_jobs() -> Iterator[tuple[str, Iterator[Line]]]:
    from jaxmpi_lint.runtime.reports import launch_table

    return ((job.name, job.lines()) for job in launch_table.jobs())


def _lines(snapshot: Snapshot, folder: Path) -> Iterator[Line]:
    """The ranks of the job: all of them on the host whose monitor knows them, else those of this host."""
    role = _role(snapshot, folder)
    if role == "root":
        from jaxmpi_lint.runtime.hosts import inquiries

        answered = inquiries.ask(folder, _ANSWER)
        if answered is not None:
            yield from answered
            return
    yield from rank_table.job(snapshot)
    if role in _ELSEWHERE:
        yield (("  note: ", "cyan"), (_ELSEWHERE[role], ""))


def _role(snapshot: Snapshot, folder: Path) -> str:
    """The part of this host in a job on several hosts; "" if there are no others, or they are not known."""
    if sum(rank.state != "absent" for rank in snapshot.ranks) == snapshot.world_size:
        return ""
    from jaxmpi_lint.runtime.hosts import meeting

    with suppress(OSError, ValueError):
        met = meeting.read(folder)
        return met.role if met is not None else ""
    return ""
