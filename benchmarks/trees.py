"""Trees of other projects in the benchmarks: the linter's findings in one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import processes

_CLOSING = re.compile(r"^(\d+) files?, (\d+) communicates?, (\d+) not analysed$", re.MULTILINE)
_LINES = re.compile(r"^\d+ files of the project, (\d+) lines, communicate", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Linted:
    """One cold run on a tree; ``failure`` is the reason why there are no findings, None on success."""

    run: processes.Run
    findings: list[dict[str, Any]] = field(default_factory=list)
    files: int = 0
    communicating: int = 0
    not_analysed: int = 0
    lines: int = 0
    failure: str | None = None


def lint(tree: Path, limit: float) -> Linted:
    """Lint a tree at default settings without the cache; file names are relative to the tree."""
    command = [*processes.linter(), "--no-cache", "--verbose", "--output-format", "json", "."]
    run = processes.run(command, limit, str(tree))
    if run.stopped:
        return Linted(run, failure=f"not finished after {limit:g} s")
    closing, lines = _CLOSING.search(run.err), _LINES.search(run.err)
    if run.status not in (0, 1) or closing is None or lines is None:
        return Linted(run, failure=_failure(run))
    files, communicating, not_analysed = (int(count) for count in closing.groups())
    return Linted(run, json.loads(run.out), files, communicating, not_analysed, int(lines[1]))


def _failure(run: processes.Run) -> str:
    if run.status < 0:
        return f"ended by signal {-run.status}"
    last = run.err.strip().rpartition("\n")[2]
    return f"exit status {run.status}: {last or 'no message'}"
