"""The defects of `mined_history.csv`, whose places were labelled before the rules were written.

A defect is found if a finding above information stands in its file, in or at most six lines beside its lines, or shows
one of them as a related place, in the parent of the commit that mends it. It is gone if the findings of that rule in
that file are fewer after the commit. `mined_history_snapshot.json` holds the names of those that are found.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import revisions

SNAPSHOT = Path(__file__).with_name("mined_history_snapshot.json")
_BESIDE = 6
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class Defect:
    """A row; ``text_alone``: whether a reader of the text alone can tell the defect."""

    name: str
    repository: str
    commit: str
    file: str
    lines: tuple[range, ...]
    kind: str
    what: str
    text_alone: bool

    def concerns(self, finding: dict[str, Any]) -> bool:
        """Whether a finding is about the place of the defect."""
        if finding["severity"] == "info":
            return False
        file = finding["filename"]
        shown = [place["location"]["row"] for place in finding["related"] if place.get("filename", file) == self.file]
        if any(row in lines for row in shown for lines in self.lines):
            return True
        row = finding["location"]["row"]
        return file == self.file and any(lines.start - _BESIDE <= row < lines.stop + _BESIDE for lines in self.lines)


@dataclass(frozen=True, slots=True)
class Judged:
    """The rules that find a defect before its commit; ``failure`` is the reason why they are unknown."""

    defect: Defect
    codes: tuple[str, ...] = ()
    gone: bool = False
    failure: str = ""

    def __str__(self) -> str:
        found = f"{' '.join(self.codes)}, {'gone' if self.gone else 'still there'} after" if self.codes else "not found"
        return f"{self.defect.name:<34} {self.defect.kind:<10} {self.failure or found}: {self.defect.what}"


def report(rows: Path, folder: Path, only: Sequence[str], limit: float, *, write: bool) -> int:
    """Judge the defects and print the figures; 1 if one is no longer found, or cannot be judged.

    ``write``: the names of those found replace the snapshot.
    """
    results = []
    for defect in load(rows):
        if not only or defect.name in only:
            results.append(judge(defect, folder, limit))
            print(results[-1], flush=True)
    if write:
        names = [result.defect.name for result in results if result.codes]
        SNAPSHOT.write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
    expected = set(json.loads(SNAPSHOT.read_text(encoding="utf-8")))
    lost = [result.defect.name for result in results if not result.codes and result.defect.name in expected]
    failed = [result.defect.name for result in results if result.failure]
    print(*_figures(results), sep="\n")
    print(f"no longer found: {', '.join(lost) or 'none'}; not judged: {', '.join(failed) or 'none'}")
    return int(bool(lost or failed))


def load(path: Path) -> list[Defect]:
    """The rows of a file."""
    with path.open(encoding="utf-8", newline="") as rows:
        return [
            Defect(
                name=row["name"],
                repository=row["repository"].replace("/", "__"),
                commit=row["commit"],
                file=row["file"],
                lines=tuple(range(int(m[1]), int(m[2] or m[1]) + 1) for m in _RANGE.finditer(row["lines"])),
                kind=row["class"],
                what=row["what"],
                text_alone=row["text_alone"] == "yes",
            )
            for row in csv.DictReader(rows)
        ]


def judge(defect: Defect, folder: Path, limit: float) -> Judged:
    """Lint the parent of a commit, and the commit itself where the defect is found."""
    clone = folder / defect.repository
    if not clone.is_dir():
        return Judged(defect, failure=f"no clone at {clone}")
    python2 = "(python2)" in defect.what
    before, failure = revisions.findings(clone, f"{defect.commit}^", python2=python2, limit=limit)
    codes = tuple(sorted({finding["code"] for finding in before if defect.concerns(finding)}))
    if failure or not codes:
        return Judged(defect, failure=failure)
    after, failure = revisions.findings(clone, defect.commit, python2=python2, limit=limit)
    gone = _count(after, defect.file, codes) < _count(before, defect.file, codes)
    return Judged(defect, codes, gone, failure)


def _count(findings: list[dict[str, Any]], file: str, codes: Sequence[str]) -> int:
    return sum(finding["filename"] == file and finding["code"] in codes for finding in findings)


def _figures(results: Sequence[Judged]) -> list[str]:
    found = [result for result in results if result.codes]
    text_alone = [result for result in results if result.defect.text_alone]
    kinds, of_kind = Counter(result.defect.kind for result in results), Counter(r.defect.kind for r in found)
    told = sum(bool(result.codes) for result in text_alone)
    return [
        f"{len(found)} of {len(results)} found before their commits; "
        f"of those that the text alone can tell {told} of {len(text_alone)}; "
        f"gone after them {sum(result.gone for result in found)} of {len(found)}",
        ", ".join(f"{kind} {of_kind[kind]} of {count}" for kind, count in sorted(kinds.items())),
    ]
