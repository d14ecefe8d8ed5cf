"""The wrong programs of `tests/pairs` that the linter finds, and whether their right twins are not flagged.

    python benchmarks/pairs.py [--form FORM]... [--write] [--missed]

All programs are linted in this process, at default settings, in their own layout and in others (see
`tests/pairs/README.md`). A wrong program is found if it has a warning or an error, a right one is flagged if it has
one; findings that are true of both sides of a pair and unrelated to its defect do not count. The findings are compared
with `pairs_snapshot.json`; ``--write`` rewrites it. The exit status is 1 if a right program is flagged, or if findings
or the pairs that have a form differ from the snapshot.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TypeVar

from pair_forms.programs import FORMS, Program, Project, load, projects

from jaxmpi_lint import testing

PAIRS = Path(__file__).parent.parent / "tests" / "pairs"
SNAPSHOT = Path(__file__).with_name("pairs_snapshot.json")
FIELDS = ("pair", "side", "file", "code", "severity", "confidence")
# What is shown at default settings.
SHOWN = {(severity, confidence) for severity in ("error", "warning") for confidence in ("high", "medium")}
# Findings of a pair that are true of both sides and unrelated to its defect.
BESIDE: Mapping[tuple[str, str], str] = {
    ("102-15", "JM515"): "both loops call a collective outside of compiled functions, which is slow but ends",
    ("launch-04", "JM619"): "the shapes are padded to be equal, which the shapes alone do not show",
    ("mpi4jax-02", "JM515"): "both loops call a collective outside of compiled functions, which is slow but ends",
    ("179-pinn-bad-batch", "JM515"): "the right program alone calls one in its loop, which is slow but ends",
    ("774-jax-warm-start", "JM103"): "in both programs process 0 alone reads the file, and may refuse it",
}


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """A finding as the snapshot keeps it; the file is that of the form."""

    pair: str
    side: str
    file: str
    code: str
    severity: str
    confidence: str

    @property
    def counts(self) -> bool:
        """Whether it is about the defect of its pair."""
        return (self.pair, self.code) not in BESIDE

    def __str__(self) -> str:
        return f"{self.pair} {self.side} {self.file} {self.code} ({self.confidence} {self.severity})"


@dataclass(frozen=True, slots=True)
class Result:
    """The findings in one form, and the pairs that have it."""

    pairs: tuple[str, ...]
    rows: tuple[Row, ...]

    def with_findings(self, side: str) -> list[str]:
        """The pairs with a finding that counts on one side."""
        return sorted({row.pair for row in self.rows if row.side == side and row.counts})

    @property
    def missed(self) -> list[str]:
        """The pairs whose wrong program has no finding."""
        return sorted({*self.pairs} - {*self.with_findings("wrong")})


def main() -> int:
    """Lint, print, compare, write."""
    given = _arguments()
    programs, known = load(given.pairs), stored(given.snapshot)
    results = {form: result(form, programs) for form in given.form or FORMS}
    print("\n".join(table(results)))
    if given.missed:
        print("\n".join(f"missed, {form}: {' '.join(found.missed)}" for form, found in results.items()))
    flagged = [f"flagged, {form}: {pair}" for form, found in results.items() for pair in found.with_findings("right")]
    different = [line for form, found in results.items() for line in differences(form, known.get(form), found)]
    print("\n".join([*flagged, *different, "" if different else "as in the snapshot"]).rstrip())
    if given.write:
        store(given.snapshot, {**known, **results})
        return int(bool(flagged))
    return int(bool(flagged or different))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--form", action="append", choices=FORMS, help="this form only (repeatable)")
    parser.add_argument("--write", action="store_true", help="rewrite the snapshot")
    parser.add_argument("--missed", action="store_true", help="list the wrong programs that have no finding")
    parser.add_argument("--pairs", type=Path, default=PAIRS, metavar="FOLDER", help="other pairs")
    parser.add_argument("--snapshot", type=Path, default=SNAPSHOT, metavar="FILE", help="a different snapshot")
    return parser.parse_args()


def result(form: str, programs: Sequence[Program]) -> Result:
    """Lint all programs that have a form."""
    made = list(projects(form, programs))
    pairs = {program.pair for project in made for program in project.owners.values()}
    return Result(tuple(sorted(pairs)), tuple(sorted(row for project in made for row in rows(project))))


def rows(project: Project) -> Iterator[Row]:
    """The shown findings of a project."""
    for finding in testing.lint(project.texts):
        judged = (finding.severity.value, finding.confidence.value)
        if judged in SHOWN:
            owner = project.owners[finding.filename]
            yield Row(owner.pair, owner.side, finding.filename, finding.code, *judged)


def table(results: Mapping[str, Result]) -> list[str]:
    """The figures, one form a line."""
    lines = [f"{'form':<20}{'found':>6}{'of':>6}{'right flagged':>15}"]
    for form, found in results.items():
        wrong, right = (len(found.with_findings(side)) for side in ("wrong", "right"))
        lines.append(f"{form:<20}{wrong:>6}{len(found.pairs):>6}{right:>15}")
    return lines


def differences(form: str, before: Result | None, after: Result) -> list[str]:
    """The differences between the snapshot and this run."""
    if before is None:
        return [f"{form}: not in the snapshot"]
    lines = [f"{form}: {pair} no longer has this form" for pair in _beyond(before.pairs, after.pairs)]
    lines += [f"{form}: {pair} now has this form" for pair in _beyond(after.pairs, before.pairs)]
    lines += [f"{form}: gone: {row}" for row in _beyond(before.rows, after.rows)]
    return [*lines, *(f"{form}: new: {row}" for row in _beyond(after.rows, before.rows))]


_Item = TypeVar("_Item", str, Row)


def _beyond(some: Iterable[_Item], others: Iterable[_Item]) -> list[_Item]:
    return sorted((Counter(some) - Counter(others)).elements())


def stored(path: Path) -> dict[str, Result]:
    """The results of a snapshot by form; none if there is no snapshot yet."""
    if not path.exists():
        return {}
    forms = json.loads(path.read_text(encoding="utf-8"))["forms"]
    return {
        form: Result(tuple(entry["pairs"]), tuple(Row(*values) for values in entry["findings"]))
        for form, entry in forms.items()
    }


def store(path: Path, results: Mapping[str, Result]) -> None:
    """Write a snapshot, one finding a line for readable diffs."""
    members = ",\n".join(f"    {json.dumps(form)}: {_entry(results[form])}" for form in FORMS if form in results)
    path.write_text(f'{{\n  "fields": {json.dumps(FIELDS)},\n  "forms": {{\n{members}\n  }}\n}}\n', encoding="utf-8")


def _entry(found: Result) -> str:
    lines = ",\n".join(f"        {json.dumps(astuple(row))}" for row in found.rows)
    findings = f"[\n{lines}\n      ]" if lines else "[]"
    return f'{{\n      "pairs": {json.dumps(found.pairs)},\n      "findings": {findings}\n    }}'


if __name__ == "__main__":
    sys.exit(main())
