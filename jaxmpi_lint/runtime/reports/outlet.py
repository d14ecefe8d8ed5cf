"""The destinations of findings: standard error, the JSON file, the folder with a copy of the ledger."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from jaxmpi_lint.runtime.findings import callers, report, wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging.exits import exit_code, vanished
from jaxmpi_lint.runtime.ledger import folders
from jaxmpi_lint.runtime.ledger.interface import LedgerCopy
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot
from jaxmpi_lint.runtime.reports import jsonl
from jaxmpi_lint.runtime.reports.suppressions import Suppressions
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

_LINT_SECONDS = 1.5


class ReportSink:
    """Reports each finding once, up to the maximum number of reports."""

    def __init__(self, stream: TextIO, json_path: str, wishes: MonitorOptions) -> None:
        self.stream: TextIO = stream
        self.json_path = json_path
        self.wishes = wishes
        self.suppressions = Suppressions.read(wishes.suppressions)
        self.told = 0
        self.errors = 0
        self.left_out = 0
        self.failing = ""  # the code of a warning that ends the job, see the option `fail_on`
        self._summarised = False
        self._keys: set[tuple[object, ...]] = set()
        self._kept: list[str] = []
        self._objects: list[dict[str, Any]] = []
        self._began, self._started = time.monotonic(), time.time()
        for problem in self.suppressions.problems:
            self.say(problem)

    def say(self, line: str) -> None:
        """One line on standard error."""
        self._write([((f"{report.PREFIX}: ", "dim"), (line, ""))])

    def tell(self, found: Sequence[Finding], snapshot: Snapshot, book: LedgerCopy, fatal: bool) -> bool:
        """Report new findings; whether one that is not suppressed is an error."""
        shown = [callers.explained(one) for one in found if not self.suppressions.covers(one)]
        errors = [one for one in shown if self._tell(one, snapshot, fatal)]
        self.errors += len(errors)
        if errors:
            stored = self._store(snapshot, book)
            if stored:
                self.say(stored)
        return bool(errors)

    def say_where(
        self, what: str, snapshot: Snapshot, ended: float = 0.0, stored_with: LedgerCopy | None = None
    ) -> None:
        """Report how the job ended, and where all ranks were.

        With a ledger it is stored as well, first of all: what ends the job may end the monitor, or close its output.
        """
        from jaxmpi_lint.runtime.reports import rank_table

        head = f"{what}. {report.WHERE}:"
        lines = [((f"{report.PREFIX}: ", "dim"), (head, "bold")), *rank_table.last(snapshot, ended), ()]
        self._kept.append(report.plain(lines))
        stored = self._store(snapshot, stored_with) if stored_with is not None else ""
        self._write(lines)
        if stored:
            self.say(stored)

    def _tell(self, finding: Finding, snapshot: Snapshot, fatal: bool) -> bool:
        """Report one finding; whether it is an error."""
        error = finding.severity == "error"
        if finding.key in self._keys:
            return error
        self._keys.add(finding.key)
        if finding.severity == "warning" and {finding.code, "all"} & set(self.wishes.fail_on.split(",")):
            self.failing = finding.code
        if self.told >= self.wishes.max_reports and not (error and fatal):
            self.left_out += 1
            return error
        self.told += 1
        consequence = self._consequence(fatal, snapshot) if error else ""
        context = self._context(finding, snapshot)
        self._print([*report.lines(finding, context, consequence, _story(finding, snapshot))])
        explanation = None
        if finding.severity != "info" and finding.sites:
            from jaxmpi_lint.runtime.reports import linting

            explanation = linting.explain(finding, _LINT_SECONDS)
        self._print([*(report.lint(explanation.text) if explanation else ()), ()])
        one = jsonl.as_object(finding, explanation.rule if explanation else None, snapshot.job)
        self._objects.append(one)
        if self.json_path:
            problem = jsonl.append(self.json_path, [one])
            if problem:
                self.say(f"JAXMPI_SANITIZE_REPORT={self.json_path} cannot be written ({problem})")
                self.json_path = ""
        return error

    def _print(self, lines: Sequence[report.Line]) -> None:
        self._write(lines)
        self._kept.append(report.plain(lines))

    def _consequence(self, fatal: bool, snapshot: Snapshot) -> str:
        if any(vanished(rank) for rank in snapshot.ranks):
            return "the job ends; the launcher decides with which exit code, because a rank died"
        if self.wishes.on_error == "continue":
            return "on_error=continue: the program continues; its memory or its results may be corrupted"
        if self.wishes.on_error == "raise":
            return "on_error=raise: the calls at fault fail with an MPI error"
        if not fatal:
            return ""
        own = [
            f"rank {rank.rank} with {rank.exit_status}"
            for rank in snapshot.ranks
            if exit_code(rank) and rank.exit_status
        ]
        kept = f"; {wording.joined(own)}, as the program asked" if own else ""
        return f"the job ends with exit code {self.wishes.exitcode}{kept}"

    def _context(self, finding: Finding, snapshot: Snapshot) -> str:
        here = [rank for rank in snapshot.ranks if rank.state != "absent"]
        of = f"{len(here)} of {snapshot.world_size} ranks (only this host is checked)"
        who = of if len(here) < snapshot.world_size else wording.plural(snapshot.world_size, "rank")
        return f"{who} on {snapshot.host}, {time.monotonic() - self._began:.1f} s after the start; {snapshot.library}"

    def _write(self, lines: Sequence[report.Line]) -> None:
        try:
            report.write(lines, self.stream)
        except (OSError, ValueError):
            self.stream = io.StringIO()  # the launcher has ended: standard error has no reader

    def folder(self, snapshot: Snapshot) -> Path:
        """The folder for reports and the ledger; of a job on several hosts, which may share it, one for each."""
        is_part = sum(rank.state != "absent" for rank in snapshot.ranks) < snapshot.world_size
        if self.wishes.log_dir:
            return Path(self.wishes.log_dir, *([snapshot.host] if is_part else []))
        return Path(folders.name(f"{snapshot.job}.{snapshot.host}" if is_part else snapshot.job, self._started))

    def _store(self, snapshot: Snapshot, book: LedgerCopy) -> str:
        """Store ledger and report for ``jaxmpi-sanitize report``; what is to be said about it."""
        folder = self.folder(snapshot)
        first = not (folder / folders.REPORT).exists()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            book.copy(str(folder / folders.PLAIN))
            folders.pack(folder)
            (folder / folders.REPORT).write_text("".join(self._kept), encoding="utf-8")
            (folder / folders.FINDINGS).unlink(missing_ok=True)
            jsonl.append(str(folder / folders.FINDINGS), self._objects)
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or error
            return f"log_dir={folder} cannot be written ({why}); nothing is stored"
        if not first:
            return ""
        folders.prune(folder, self.wishes.keep)
        more = ", and the last calls of every rank" if folders.ledger(folder).exists() else ""
        return f"to see this again{more}: jaxmpi-sanitize report {folder}"

    def summarise(self, snapshot: Snapshot) -> None:
        """State once what was checked, if nothing was found."""
        calls = sum(rank.calls for rank in snapshot.ranks)
        found = self.told or self.left_out or self.suppressions.summary()
        if calls and not found and not snapshot.alone and not self._summarised and self.wishes.summary == "on":
            self._summarised = True
            here = [rank for rank in snapshot.ranks if rank.state != "absent"]
            self.say(f"{wording.plural(calls, 'MPI call')} of {wording.plural(len(here), 'rank')} checked: no findings")

    def close(self) -> None:
        """Print the last lines of the job."""
        if self.left_out:
            self.say(
                f"{wording.plural(self.left_out, 'further finding')} not shown (max_reports={self.wishes.max_reports})"
            )
        for line in self.suppressions.summary():
            self.say(line)


def _story(finding: Finding, snapshot: Snapshot) -> Sequence[report.Line]:
    """The timeline of MPI and JAX calls; it is optional, so an error in it is ignored."""
    from jaxmpi_lint.runtime.reports import timeline

    try:
        return tuple(timeline.lines(finding, snapshot))
    except (ImportError, OSError, RuntimeError):
        return ()
