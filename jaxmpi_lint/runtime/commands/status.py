"""Show the state and call site of each rank in the jobs that are running on this host."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.runtime.findings import report, wording
from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot
from jaxmpi_lint.runtime.reports import rank_table


def main(arguments: Sequence[str]) -> int:
    """Print every job of this user, or those that match; 1 if there is none."""
    parser = argparse.ArgumentParser(prog="jaxmpi-sanitize status", description=__doc__)
    parser.add_argument("job", nargs="?", default="", help="part of the job's name (default: all jobs of this user)")
    given = parser.parse_args(arguments)
    found = [(name, lines) for name, lines in (*_mpi_jobs(), *_jax_jobs()) if given.job in name]
    if not found:
        which = f"no job {given.job!r}" if given.job else "no job"
        print(f"{which} with JAXMPI_SANITIZE=1 runs on this host as this user")
        return 1
    for _, lines in found:
        report.write([*lines, ()], sys.stdout)
    return 0


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
            snapshot = Ledger(str(job.ledger)).snapshot()
        except RuntimeError:
            continue  # it has just ended
        yield snapshot.job, _lines(snapshot)


def _jax_jobs() -> Iterator[tuple[str, Iterator[Line]]]:
    from jaxmpi_lint.runtime.reports import launch_table

    return ((job.name, job.lines()) for job in launch_table.jobs())


def _lines(snapshot: Snapshot) -> Iterator[Line]:
    here = sum(rank.state != "absent" for rank in snapshot.ranks)
    of = f" of {snapshot.world_size}" if here < snapshot.world_size else ""
    head = f"{wording.plural(here, 'rank')}{of} on {snapshot.host}, {snapshot.library}"
    yield ((f"job {snapshot.job}", "bold"), (f"  {head}", "dim"))
    yield from rank_table.lines(snapshot)
