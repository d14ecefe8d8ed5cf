"""What the linter finds in a folder of checkouts, and what is different from the committed snapshot.

    python benchmarks/corpus.py FOLDER [--write] [--only TREE]... [--limit SECONDS]

``FOLDER`` holds checkouts named ``owner__repo``. Every tree is linted at default settings by a process of its own.
A finding is known by its tree, file, code, confidence and message without numbers of lines, so that one that only
moved within its file is listed as moved. ``--write`` makes the findings of the trees at hand the new snapshot.
The exit status is 1 if a tree could not be linted or findings are new, gone or moved.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import trees

SNAPSHOT = Path(__file__).with_name("corpus_snapshot.json")
FIELDS = ("file", "row", "code", "severity", "confidence", "message")
_ROWS = re.compile(r"\b(lines?|rows?|columns?) \d+(?:(?:, | and |-)\d+)*|:\d+(?::\d+)?\b")


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """A finding as the snapshot keeps it; rows are those of the file."""

    tree: str
    file: str
    row: int
    code: str
    severity: str
    confidence: str
    message: str

    @property
    def content(self) -> tuple[str, ...]:
        """What stays when the finding moves."""
        return (self.tree, self.file, self.code, self.severity, self.confidence, self.message)

    def __str__(self) -> str:
        return f"{self.tree}/{self.file}:{self.row} {self.code} ({self.confidence} {self.severity}) {self.message}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Findings that one side has and the other has not, and pairs that differ in the row alone."""

    new: tuple[Row, ...]
    gone: tuple[Row, ...]
    moved: tuple[tuple[Row, Row], ...]

    @property
    def empty(self) -> bool:
        """Whether both sides are the same."""
        return not (self.new or self.gone or self.moved)


def main() -> int:
    """Lint all trees, print, compare, write."""
    given = _arguments()
    folders = _checkouts(given.folder, given.only)
    known = load(given.snapshot)
    found: dict[str, list[Row]] = {}
    failures: list[str] = []
    total = 0
    print(f"{'tree':<40}{'files':>7}{'relevant':>9}{'lines':>8}{'errors':>7}{'warnings':>9}{'CPU s':>8}{'MB':>6}")
    for folder in folders:
        linted = trees.lint(folder, given.limit)
        rows = [row_of(folder.name, finding) for finding in linted.findings]
        print(_tree_line(folder.name, linted, rows), flush=True)
        if linted.failure is None:
            found[folder.name] = rows
            total += linted.lines
        else:
            failures.append(f"{folder.name}: {linted.failure}")
    print("\n".join(_summary(_flat(found.values()), total, failures)))
    difference = compare(_flat(known.get(tree, []) for tree in found), _flat(found.values()))
    print("\n".join(_difference_lines(difference)))
    for tree in sorted(known.keys() - found.keys()):
        print(f"not compared: {tree}")
    if given.write:
        store(given.snapshot, {**known, **found})
        return int(bool(failures))
    return int(bool(failures) or not difference.empty)


def _flat(groups: Iterable[Sequence[Row]]) -> list[Row]:
    return [row for rows in groups for row in rows]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare what jaxmpi-lint finds in other projects with the snapshot.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="holds checkouts named owner__repo")
    parser.add_argument("--only", action="append", default=[], metavar="TREE", help="lint this tree only (repeatable)")
    parser.add_argument("--write", action="store_true", help="rewrite the snapshot")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="longest run on a tree (600)")
    parser.add_argument("--snapshot", type=Path, default=SNAPSHOT, metavar="FILE", help="another snapshot")
    return parser.parse_args()


def _checkouts(folder: Path, only: Sequence[str]) -> list[Path]:
    if not folder.is_dir():
        raise SystemExit(f"error: {folder}: no such folder; give the one that holds the checkouts")
    found = sorted(path.resolve() for path in folder.iterdir() if path.is_dir() and "__" in path.name)
    unknown = sorted(set(only) - {path.name for path in found})
    if unknown or not found:
        what = f"no checkout {unknown[0]}" if unknown else "no checkout"
        raise SystemExit(f"error: {folder}: {what}; checkouts are folders named owner__repo")
    return [path for path in found if not only or path.name in only]


def row_of(tree: str, finding: dict[str, object]) -> Row:
    """A finding of the JSON report."""
    location = finding["location"]
    row = int(location["row"]) if isinstance(location, dict) else 1
    file, code, severity, confidence = (str(finding[name]) for name in ("filename", "code", "severity", "confidence"))
    message = _ROWS.sub(lambda match: f"{match[1]} N" if match[1] else ":N", str(finding["message"]))
    return Row(tree, file, row, code, severity, confidence, message)


def load(path: Path) -> dict[str, list[Row]]:
    """The findings of a snapshot by tree; none if there is no snapshot yet."""
    if not path.exists():
        return {}
    document = json.loads(path.read_text(encoding="utf-8"))
    return {tree: [Row(tree, *values) for values in entries] for tree, entries in document["trees"].items()}


def store(path: Path, found: Mapping[str, Sequence[Row]]) -> None:
    """Write a snapshot, one finding a line so that differences can be read."""
    members = ",\n".join(f"    {json.dumps(tree)}: {_entries(rows)}" for tree, rows in sorted(found.items()))
    text = f'{{\n  "fields": {json.dumps(FIELDS)},\n  "trees": {{\n{members}\n  }}\n}}\n'
    path.write_text(text, encoding="utf-8")


def _entries(rows: Sequence[Row]) -> str:
    values = ([getattr(row, name) for name in FIELDS] for row in sorted(rows))
    lines = ",\n".join(f"      {json.dumps(value, ensure_ascii=False)}" for value in values)
    return f"[\n{lines}\n    ]" if lines else "[]"


def compare(before: Sequence[Row], after: Sequence[Row]) -> Difference:
    """Pair findings of equal content, those in the same row first; what is left on one side is new or gone."""
    staying = Counter(before) & Counter(after)
    old, new = _by_content(Counter(before) - staying), _by_content(Counter(after) - staying)
    moved = [pair for content in old for pair in zip(old[content], new.get(content, []), strict=False)]
    return Difference(
        tuple(sorted(row for content, rows in new.items() for row in rows[len(old.get(content, [])) :])),
        tuple(sorted(row for content, rows in old.items() for row in rows[len(new.get(content, [])) :])),
        tuple(sorted(moved)),
    )


def _by_content(rows: Counter[Row]) -> dict[tuple[str, ...], list[Row]]:
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in sorted(rows.elements()):
        groups[row.content].append(row)
    return groups


def _tree_line(name: str, linted: trees.Linted, rows: Sequence[Row]) -> str:
    if linted.failure is not None:
        return f"{name:<40}  FAILED: {linted.failure}"
    counts = Counter(row.severity for row in rows)
    numbers = f"{linted.files:>7}{linted.communicating:>9}{linted.lines:>8}"
    found = f"{counts['error']:>7}{counts['warning']:>9}"
    return f"{name:<40}{numbers}{found}{linted.run.cpu:>8.1f}{linted.run.peak / 1e6:>6.0f}"


def _summary(rows: Sequence[Row], total: int, failures: Sequence[str]) -> list[str]:
    codes = Counter(row.code for row in rows)
    lines = ["", *(f"{code}  {count}" for code, count in sorted(codes.items()))]
    lines.append(f"{total} lines in files that communicate")
    for severity in ("error", "warning"):
        count = sum(row.severity == severity for row in rows)
        rate = f"{count * 10_000 / total:.2f}" if total else "-"
        lines.append(f"{severity}s: {count}, {rate} per 10 000 such lines")
    lines.append(f"trees that failed: {len(failures)}")
    return [*lines, *(f"FAILED {failure}" for failure in failures), ""]


def _difference_lines(difference: Difference) -> list[str]:
    if difference.empty:
        return ["no difference to the snapshot"]
    lines = [f"new   {row}" for row in difference.new] + [f"gone  {row}" for row in difference.gone]
    lines += [f"moved {row}, was in row {old.row}" for old, row in difference.moved]
    counts = f"{len(difference.new)} new, {len(difference.gone)} gone, {len(difference.moved)} moved"
    return [*lines, f"difference to the snapshot: {counts}"]


if __name__ == "__main__":
    sys.exit(main())
