"""Defects planted into the functions of other projects that communicate: how many the linter finds.

    python benchmarks/planted.py FOLDER [--seed S] [--each N] [--kind KIND]... [--only TREE]... [--records FILE]
    python benchmarks/planted.py FOLDER --sample N [--seed S]

``FOLDER`` holds the checkouts of `planted_trees.csv`, named ``owner__repo``. A seed selects up to ``--each`` defects of
every kind at every distance: 0 in the function that communicates, 1 to 3 calls away from it, or with an object in
between. Each is planted into a copy of its tree and the top-level folder of its file is linted at default settings,
without the defect and with it; all of the tree if the chain of calls or the caller is in a different folder. A defect
is found if a new finding lies in the changed function or in a function of the chain, or names a line of them.
``--records`` writes a JSON file with each defect, its diff, its findings and what the interpreter did not follow.
``--sample`` prints diffs without linting, for judgement by a person; `planted_judgements.csv` has the verdicts, and
defects that are judged harmless do not count.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from planting import findings
from planting.defects import DISTANCES, KINDS, Defect, by_cell, read_tree, select

TREES = Path(__file__).with_name("planted_trees.csv")
JUDGEMENTS = Path(__file__).with_name("planted_judgements.csv")
VERDICTS = ("defect", "harmless", "cannot tell")


@dataclass(frozen=True, slots=True)
class Result:
    """What the linter says about one defect; ``failure`` is the reason why it says nothing at all."""

    defect: Defect
    found: tuple[findings.Finding, ...] = ()
    elsewhere: tuple[findings.Finding, ...] = ()
    notes: tuple[str, ...] = ()
    failure: str = ""


def main() -> int:
    """Plant, lint, print, write."""
    given = _arguments()
    trees = [read_tree(folder) for folder in _checkouts(given.folder, given.trees, given.only)]
    defects = list(select(trees, given.seed, given.each, given.kind))
    if given.sample:
        print("\n".join(sampled(defects, given.sample, given.seed)))
        return 0
    harmless = {name for name, verdict in judgements(given.judgements).items() if verdict == "harmless"}
    results = linted(given.folder, defects, given.limit, given.records)
    counted = [one for one in results if one.defect.identifier not in harmless and not one.failure]
    print("\n".join(table(counted)))
    failures = [f"FAILED {one.defect.identifier}: {one.failure}" for one in results if one.failure]
    print("\n".join([*failures, f"judged harmless, not counted: {len(harmless & {*_names(results)})}"]))
    return int(bool(failures))


def _names(results: Sequence[Result]) -> list[str]:
    return [one.defect.identifier for one in results]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="holds checkouts named owner__repo")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="selects the defects (1)")
    parser.add_argument("--each", type=_positive, default=4, metavar="N", help="defects of a kind at a distance (4)")
    parser.add_argument("--kind", action="append", default=[], choices=KINDS, help="this kind only (repeatable)")
    parser.add_argument("--only", action="append", default=[], metavar="TREE", help="this tree only (repeatable)")
    parser.add_argument("--sample", type=_positive, metavar="N", help="print N diffs and lint nothing")
    parser.add_argument("--records", type=Path, metavar="FILE", help="write a JSON file of all defects and findings")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="time limit for a run (120)")
    parser.add_argument("--trees", type=Path, default=TREES, metavar="FILE", help="CSV of repository and commit")
    parser.add_argument("--judgements", type=Path, default=JUDGEMENTS, metavar="FILE", help="different judgements")
    return parser.parse_args()


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _checkouts(folder: Path, listed: Path, only: Sequence[str]) -> list[Path]:
    """The folders of the listed trees; one clear line if they are not there."""
    if not folder.is_dir():
        raise SystemExit(f"error: {folder}: no such folder; give the one that holds the checkouts")
    names = [row["repository"].replace("/", "__") for row in _rows(listed, ("repository",))]
    unknown = sorted(set(only) - set(names))
    if unknown:
        raise SystemExit(f"error: {unknown[0]}: not in {listed}; trees are named owner__repo")
    found = [folder / name for name in only or names]
    absent = [path.name for path in found if not path.is_dir()]
    if absent:
        raise SystemExit(f"error: {folder}: no checkout {absent[0]}; {listed} has its commit")
    return [path.resolve() for path in found]


def _rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"error: {path}: {error}") from error
    missing = [name for name in columns if any(row.get(name) is None for row in rows)]
    if missing:
        raise SystemExit(f"error: {path}: give a CSV file with the column {missing[0]}")
    return rows


def judgements(path: Path) -> dict[str, str]:
    """The verdicts by the identifier of the defect; none if there is no file yet."""
    if not path.exists():
        return {}
    rows = _rows(path, ("identifier", "verdict"))
    wrong = [row["verdict"] for row in rows if row["verdict"] not in VERDICTS]
    if wrong:
        raise SystemExit(f"error: {path}: unknown verdict {wrong[0]!r}; use {', '.join(VERDICTS)}")
    return {row["identifier"]: row["verdict"] for row in rows}


def sampled(defects: Sequence[Defect], count: int, seed: int) -> list[str]:
    """Random defects as diffs."""
    chosen = Random(f"{seed} sample").sample(list(defects), min(count, len(defects)))
    lines = []
    for one in chosen:
        scope = f"{one.tree} {one.file} {one.place[1]}, reached from: {one.entry or 'nowhere'}"
        chain = " -> ".join(f"{file}:{name}" for file, name in one.chain)
        lines += [f"### {one.identifier} ({one.kind}, {one.form or 'only form'}) {scope}", *([chain] if chain else [])]
        lines.append(one.difference())
    return lines


def linted(folder: Path, defects: Sequence[Defect], limit: float, records: Path | None) -> list[Result]:
    """Lint all defects, those of one folder in sequence, and print a line for each."""
    results: list[Result] = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        copies = findings.Copies(Path(temporary).resolve(), limit)
        for defect in sorted(defects, key=lambda one: (one.tree, one.file)):
            results.append(judged(defect, lambda one: copies.lint(folder / one.tree, one)))
            print(_line(results[-1], time.monotonic() - start), file=sys.stderr, flush=True)
            if records is not None:
                store(records, results)
    return results


Lint = Callable[[Defect], tuple[findings.Linted, findings.Linted]]


def judged(defect: Defect, lint: Lint) -> Result:
    """Whether a defect is found."""
    try:
        before, after = lint(defect)
    except findings.NotLinted as error:
        return Result(defect, failure=str(error))
    new = findings.new(before.findings, after.findings, defect)
    found = findings.about(new, defect)
    return Result(defect, tuple(found), tuple(one for one in new if one not in found), after.notes)


def _line(result: Result, seconds: float) -> str:
    codes = " ".join(sorted({str(one["code"]) for one in result.found})) or result.failure or "silent"
    return f"{seconds:6.0f} s  {result.defect.identifier:<34}{codes:<16}{result.defect.tree}"


def store(path: Path, results: Sequence[Result]) -> None:
    """Write the records; the old file stays until the new one is complete."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps([_record(one) for one in results], indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def _record(result: Result) -> dict[str, Any]:
    values = asdict(result.defect)
    del values["before"]
    return {
        **values,
        "difference": result.defect.difference(),
        "found": bool(result.found),
        "failure": result.failure,
        "notes": result.notes,
        "findings": [_short(one) for one in result.found],
        "elsewhere": [_short(one) for one in result.elsewhere],
    }


def _short(finding: findings.Finding) -> str:
    return f"{finding['filename']}:{finding['location']['row']} {finding['code']} {finding['message']}"


def table(results: Sequence[Result]) -> list[str]:
    """Found of planted: by kind and distance, and the shares of defects that the ranks alone decide."""
    lines = [f"{'kind':<22}" + "".join(f"{name:>9}" for name in (*DISTANCES, "all"))]
    cells = by_cell([one.defect for one in results])
    found = {one.defect.identifier for one in results if one.found}
    for kind in dict.fromkeys(kind for kind, _ in cells):
        row = [cells.get((kind, distance), []) for distance in DISTANCES]
        lines.append(f"{kind:<22}" + "".join(_share(one, found) for one in (*row, [*_flat(row)])))
    groups = {
        "reached": [one.defect for one in results if one.defect.reached],
        "not reached": [one.defect for one in results if not one.defect.reached],
        "reached, by rank": [one.defect for one in results if one.defect.reached and one.defect.by_rank],
        "all": [one.defect for one in results],
    }
    for name, group in groups.items():
        row = [[one for one in group if one.distance == distance] for distance in DISTANCES]
        lines.append(f"{name:<22}" + "".join(_share(one, found) for one in (*row, group)))
    lines += [_recall("0 and 1", ("0", "1"), groups["reached, by rank"], found)]
    lines += [_recall("2 and 3", ("2", "3"), groups["reached, by rank"], found)]
    return lines


def _flat(row: Sequence[Sequence[Defect]]) -> list[Defect]:
    return [one for cell in row for one in cell]


def _share(cell: Sequence[Defect], found: set[str]) -> str:
    return f"{sum(one.identifier in found for one in cell)}/{len(cell)}".rjust(9) if cell else f"{'-':>9}"


def _recall(name: str, distances: Sequence[str], group: Sequence[Defect], found: set[str]) -> str:
    cell = [one for one in group if one.distance in distances]
    share = f"{sum(one.identifier in found for one in cell) / len(cell):.2f}" if cell else "-"
    return f"reached, by rank, distances {name}: {share} of {len(cell)}"


if __name__ == "__main__":
    sys.exit(main())
