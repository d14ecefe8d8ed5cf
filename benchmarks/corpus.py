"""The linter's findings in a folder of checkouts, and their differences to the committed snapshot.

    python benchmarks/corpus.py FOLDER [--write] [--only TREE]... [--limit SECONDS] [--jobs N]
    python benchmarks/corpus.py FOLDER --trees benchmarks/further_trees.csv --snapshot benchmarks/further_snapshot.json

``FOLDER`` holds checkouts named ``owner__repo``. Each tree is linted at default settings by a separate process. Two
findings are the same if tree, file, row, code, severity, confidence and message agree; numbers of lines inside a
message do not count. A finding that differs in the row alone is listed as moved. ``--ignore-messages`` excludes
messages from the comparison, for changes that reword them. ``--trees`` restricts the run to the repositories of a list
and prints those that ``FOLDER`` lacks. ``--write`` puts the findings of each tree into the snapshot as soon as the tree
is linted, and keeps the other trees of the snapshot. The exit status is 1 if a tree could not be linted or, without
``--write``, if findings are new, gone or moved.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
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

    def content(self, messages: bool) -> tuple[str, ...]:
        """The part that is the same after a move; without the message unless ``messages``."""
        content = (self.tree, self.file, self.code, self.severity, self.confidence)
        return (*content, self.message) if messages else content

    def __str__(self) -> str:
        return f"{self.tree}/{self.file}:{self.row} {self.code} ({self.confidence} {self.severity}) {self.message}"


Groups = dict[tuple[str, ...], list[Row]]
"""Findings by their content."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Findings on one side only, and pairs that differ in the row alone."""

    new: tuple[Row, ...]
    gone: tuple[Row, ...]
    moved: tuple[tuple[Row, Row], ...]

    @property
    def empty(self) -> bool:
        """Whether both sides are the same."""
        return not (self.new or self.gone or self.moved)


@dataclass(frozen=True, slots=True)
class Results:
    """The findings of the linted trees, the reasons of failures, and the number of analysed lines."""

    found: dict[str, list[Row]]
    failures: list[str]
    lines: int


def main() -> int:
    """Lint all trees, print, compare, write."""
    given = _arguments()
    listed = _listed(given.trees)
    folders = _checkouts(given.folder, given.only, listed)
    known = load(given.snapshot)
    results = _lint(folders, known, given)
    rows = _flat(results.found.values())
    print("\n".join(_summary(rows, results.lines, results.failures)))
    difference = compare(_flat(known.get(tree, []) for tree in results.found), rows, not given.ignore_messages)
    print("\n".join(_difference_lines(difference)))
    names = {folder.name for folder in folders}
    for tree in sorted(known.keys() - results.found.keys()):
        print(f"not compared: {tree}")
    for tree in sorted(listed.keys() - names) if not given.only else []:
        print(f"absent: {tree}, commit {listed[tree]}")
    return int(bool(results.failures) or not (given.write or difference.empty))


def _lint(folders: Sequence[Path], known: Mapping[str, Sequence[Row]], given: argparse.Namespace) -> Results:
    """Lint the trees, print a line for each, and on request write the snapshot after each."""
    found: dict[str, list[Row]] = {}
    failures: list[str] = []
    total = 0
    print(f"{'tree':<40}{'files':>7}{'relevant':>9}{'lines':>8}{'errors':>7}{'warnings':>9}{'CPU s':>8}{'MB':>6}")
    for folder, linted in zip(folders, _linted(folders, given.limit, given.jobs), strict=True):
        rows = [row_of(folder.name, finding) for finding in linted.findings]
        print(_tree_line(folder.name, linted, rows), flush=True)
        if linted.failure is not None:
            failures.append(f"{folder.name}: {linted.failure}")
            continue
        found[folder.name] = rows
        total += linted.lines
        if given.write:
            store(given.snapshot, {**known, **found})
    return Results(found, failures, total)


def _linted(folders: Sequence[Path], limit: float, jobs: int) -> Iterator[trees.Linted]:
    """The trees in order; workers are processes because the measurement of a command waits for all its children."""
    if jobs == 1:
        yield from map(trees.lint, folders, repeat(limit))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(trees.lint, folders, repeat(limit))


def _flat(groups: Iterable[Sequence[Row]]) -> list[Row]:
    return [row for rows in groups for row in rows]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Compare the findings of jaxmpi-lint in other projects with the snapshot."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="holds checkouts named owner__repo")
    parser.add_argument("--only", action="append", default=[], metavar="TREE", help="lint this tree only (repeatable)")
    parser.add_argument("--write", action="store_true", help="rewrite the snapshot")
    parser.add_argument(
        "--limit", type=float, default=600, metavar="SECONDS", help="time limit for a tree in seconds (600)"
    )
    parser.add_argument("--snapshot", type=Path, default=SNAPSHOT, metavar="FILE", help="a different snapshot")
    parser.add_argument("--trees", type=Path, metavar="FILE", help="CSV of repository and commit: lint only these")
    parser.add_argument("--ignore-messages", action="store_true", help="compare everything but the messages")
    parser.add_argument("--jobs", type=_positive, default=1, metavar="N", help="trees linted at the same time (1)")
    return parser.parse_args()


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _listed(path: Path | None) -> dict[str, str]:
    """The commits of a list of repositories by the names of their checkouts; none without a list."""
    if path is None:
        return {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return {row["repository"].replace("/", "__"): row["commit"] for row in csv.DictReader(file)}
    except (OSError, KeyError) as error:
        raise SystemExit(f"error: {path}: {error}; give a CSV file with the columns repository and commit") from error


def _checkouts(folder: Path, only: Sequence[str], listed: Mapping[str, str]) -> list[Path]:
    if not folder.is_dir():
        raise SystemExit(f"error: {folder}: no such folder; give the one that holds the checkouts")
    found = sorted(path.resolve() for path in folder.iterdir() if path.is_dir() and "__" in path.name)
    found = [path for path in found if not listed or path.name in listed]
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
    """Write a snapshot, one finding a line for readable diffs; the old file stays until the new one is complete."""
    members = ",\n".join(f"    {json.dumps(tree)}: {_entries(rows)}" for tree, rows in sorted(found.items()))
    text = f'{{\n  "fields": {json.dumps(FIELDS)},\n  "trees": {{\n{members}\n  }}\n}}\n'
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _entries(rows: Sequence[Row]) -> str:
    values = ([getattr(row, name) for name in FIELDS] for row in sorted(rows))
    lines = ",\n".join(f"      {json.dumps(value, ensure_ascii=False)}" for value in values)
    return f"[\n{lines}\n    ]" if lines else "[]"


def compare(before: Sequence[Row], after: Sequence[Row], messages: bool = True) -> Difference:
    """Pair findings of equal content, those in the same row first; unpaired ones are new or gone."""
    old, new = _by_content(before, messages), _by_content(after, messages)
    for content in old.keys() & new.keys():
        staying = Counter(row.row for row in old[content]) & Counter(row.row for row in new[content])
        old[content], new[content] = _without(old[content], staying), _without(new[content], staying)
    moved = [pair for content in old for pair in zip(old[content], new.get(content, []), strict=False)]
    return Difference(_surplus(new, old), _surplus(old, new), tuple(sorted(moved)))


def _by_content(rows: Iterable[Row], messages: bool) -> Groups:
    groups: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in sorted(rows):
        groups[row.content(messages)].append(row)
    return dict(groups)


def _without(rows: Sequence[Row], staying: Counter[int]) -> list[Row]:
    """The findings left after removal of the paired ones in each row."""
    left = Counter(staying)
    kept = []
    for row in rows:
        if left[row.row]:
            left[row.row] -= 1
        else:
            kept.append(row)
    return kept


def _surplus(groups: Groups, others: Groups) -> tuple[Row, ...]:
    """The findings of the first side without a partner on the second."""
    return tuple(sorted(row for content, rows in groups.items() for row in rows[len(others.get(content, [])) :]))


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
