"""Show the report of an earlier job: the folder that it wrote, or its file of JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.runtime.findings import callers, report, terminal, wording
from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.ledger import folders
from jaxmpi_lint.runtime.ledger.snapshot import Record, Snapshot
from jaxmpi_lint.runtime.reports import rank_table


def main(arguments: Sequence[str]) -> int:
    """Print the report; 2 if there is none."""
    parser = argparse.ArgumentParser(prog="jaxmpi-sanitize report", description=__doc__)
    parser.add_argument(
        "path", type=Path, nargs="?",
        help="a folder jaxmpi-sanitize.*, or a file of JSON lines (default: what jobs have left on this host whose "
        "monitor was killed with them)",
    )  # fmt: skip
    parser.add_argument("--calls", type=int, default=8, metavar="N", help="calls to show of each rank (default: 8)")
    given = parser.parse_args(arguments)
    if given.path is None:
        return _left_ledgers(given.calls)
    if given.path.is_dir():
        return _folder(given.path, given.calls)
    if given.path.is_file():
        return _findings(given.path)
    raise UserError(f"{given.path}: no such file or folder; give the folder that the job printed, jaxmpi-sanitize.*")


def _folder(folder: Path, calls: int) -> int:
    text, ledger = folder / folders.REPORT, folders.ledger(folder)
    if not text.is_file() and not ledger.is_file():
        raise UserError(
            f"{folder}: contains neither {folders.REPORT} nor {folders.LEDGER}; give the folder that the job printed"
        )
    if text.is_file():
        whole, columns = text.read_text(encoding="utf-8"), terminal.columns(sys.stdout)
        sys.stdout.write(report.fitted(whole, columns) if columns else whole)
        told = f"{report.WHERE}:" in whole
    else:
        told = False
    if ledger.is_file():
        report.write(list(_ledger(ledger, calls, not told)), sys.stdout)
    return 0


def _left_ledgers(calls: int) -> int:
    """The jobs on this host whose monitor was killed with them; 1 if there is none."""
    from jaxmpi_lint.runtime.ledger import reader

    try:
        left = reader.left_jobs()
    except ImportError as error:
        raise UserError(
            f"the native core is not installed ({error}); reinstall jaxmpi-lint with a C++ compiler"
        ) from None
    for job in left:
        report.write([(("A job that was ended together with its monitor", "bold"),)], sys.stdout)
        report.write([*_ledger(job.ledger, calls, True), ()], sys.stdout)
    if not left:
        print("no job of this user has left its ledger on this host; give the folder that the job printed")
    return 0 if left else 1


def _ledger(path: Path, calls: int, whereabouts: bool) -> Iterator[Line]:
    from jaxmpi_lint.runtime.ledger.reader import Ledger

    try:
        book = Ledger(str(path))
    except (ImportError, RuntimeError) as error:
        yield ((f"{path}: cannot be read: {error}", "bold"),)
        return
    snapshot = book.snapshot()
    if whereabouts:
        yield (("where all ranks were", "bold"), (f"  job {snapshot.job}", "dim"))
        yield from rank_table.last(snapshot, book.looked)
    for rank in snapshot.ranks:
        if rank.state == "absent":
            continue
        records = book.history(rank.rank, calls)
        if records:
            yield ()
            yield ((f"the last calls of rank {rank.rank}", "bold"),)
            where = callers.trails([record.site for record in records])
            yield from (_call(snapshot, record, place) for record, place in zip(records, where, strict=True))


def _call(snapshot: Snapshot, record: Record, place: str) -> Line:
    site = f"  {place}" if place else ""
    known = next((entry for entry in snapshot.communicators if entry.index == record.communicator), None)
    name = wording.communicator(known) if known is not None else ""
    peer = f"  rank {record.peer}, tag {record.tag}" if record.peer is not None and record.peer >= 0 else ""
    number = f"  #{record.ordinal + (record.peer is None)}"
    return ((f"  {wording.record(record)}{peer}", ""), (f"  {name}{number}{site}{_took(record)}", "dim"))


def _took(record: Record) -> str:
    """The duration of a call, if it is longer than the resolution of the monitor's clock."""
    if record.left is None:
        return "  still inside"
    seconds = record.left - record.entered
    return f"  about {seconds:.2f} s" if seconds >= 0.02 else ""


def _findings(path: Path) -> int:
    try:
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: not a file of JSON lines as written by JAXMPI_SANITIZE_REPORT ({error})") from None
    shown = [line for one in found if isinstance(one, dict) for line in (*_finding(one), ())]
    report.write(shown, sys.stdout)
    print(f"{wording.plural(len(found), 'finding')}")
    return 0


def _finding(one: dict[str, Any]) -> Iterator[Line]:
    style = report.SEVERITY.get(str(one.get("severity")), "bold")
    yield ((f"{one.get('code')} {one.get('severity')}", style), (f": {one.get('message')}", "bold"))
    places: dict[tuple[object, object, object], list[int]] = {}
    for place in one.get("locations") or ():
        key = (place.get("file"), place.get("line"), place.get("operation"))
        places.setdefault(key, []).append(place.get("rank"))
    for (file, line, operation), ranks in places.items():
        yield ((f"  {wording.ranks(ranks)}", "bold"), (f"  {operation or ''}", ""))
        if file:
            yield (("  --> ", "dim"), (f"{file}:{line}", "bold"))
    for note in one.get("notes") or ():
        yield (("  note: ", "cyan"), (note, ""))
    if one.get("rule"):
        yield (("  lint: ", "cyan"), (f"{one['rule']} (jaxmpi-lint --explain {one['rule']})", ""))
    if one.get("remedy"):
        yield (("  help: ", "green"), (one["remedy"], ""))
