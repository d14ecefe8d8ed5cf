"""Defects from other projects' histories: found before the commit that fixes them, and silent after it.

    python benchmarks/history.py FOLDER [--only BUG]... [--rows FILE] [--limit SECONDS] [--write]

``FOLDER`` holds git clones named ``owner__repo``. The commits, the rules for the defects and the fixed files are in
`history.json`; for known false negatives it gives the reason. Each side of a commit is extracted to a temporary folder
and linted as a whole; ``print`` statements of ``python2`` projects become expressions first, since code that is not
Python 3 is not analysed. The exit status is 1 if a clone or commit is missing, or if a defect is missed, or still
reported after its fix, without a reason.

``--rows mined_history.csv`` reads the list that was labelled before the rules were written: `mined_history.py` says
how its defects are judged.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import mined_history
import revisions

ROWS = Path(__file__).with_name("history.json")


@dataclass(frozen=True, slots=True)
class Bug:
    """A defect and the commit that fixes it; ``missed`` is the reason why it is not found, empty if it is.

    ``python2``: the files use the ``print`` statement of Python 2.
    """

    name: str
    repository: str
    commit: str
    what: str
    codes: tuple[str, ...]
    files: tuple[str, ...]
    missed: str = ""
    python2: bool = False

    def concerns(self, finding: dict[str, object]) -> bool:
        """Whether a finding is about the defect: of one of its rules, in one of its files."""
        return finding["code"] in self.codes and str(finding["filename"]) in self.files


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings for a defect before and after its commit; ``failure`` is the reason why they are unknown."""

    bug: Bug
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    failure: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether it is found and then gone, or missed for a known reason."""
        if self.failure:
            return False
        return not self.before if self.bug.missed else len(self.before) > len(self.after)

    def __str__(self) -> str:
        verdict = self.failure or f"{len(self.before)} before, {len(self.after)} after"
        lines = [f"{self.bug.name:<16} {self.bug.repository}@{self.bug.commit}  {verdict}: {self.bug.what}"]
        lines += [f"    {finding}" for finding in self.before]
        return "\n".join([*lines, f"    missed: {self.bug.missed}"] if self.bug.missed else lines)


def main() -> int:
    """Check every defect; 1 if one is not as expected."""
    given = _arguments()
    if given.rows.suffix == ".csv":
        return mined_history.report(given.rows, given.folder, given.only, given.limit, write=given.write)
    bugs = [bug for bug in load(given.rows) if not given.only or bug.name in given.only]
    results = []
    for bug in bugs:
        results.append(judge(bug, given.folder, given.limit))
        print(results[-1], flush=True)
    found = sum(bool(result.before) and not result.failure for result in results)
    wrong = [result.bug.name for result in results if not result.as_expected]
    print(f"{len(results)} defects, {found} found; not as expected: {', '.join(wrong) or 'none'}")
    return int(bool(wrong))


def load(path: Path) -> list[Bug]:
    """The defects of a file of rows."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [Bug(**{**row, "codes": tuple(row["codes"]), "files": tuple(row["files"])}) for row in rows]


def judge(bug: Bug, folder: Path, limit: float) -> Judged:
    """Lint both sides of a commit."""
    clone = folder / bug.repository
    if not clone.is_dir():
        return Judged(bug, failure=f"no clone at {clone}")
    sides: list[tuple[str, ...]] = []
    for revision in (f"{bug.commit}^", bug.commit):
        findings, failure = revisions.findings(clone, revision, python2=bug.python2, limit=limit)
        if failure:
            return Judged(bug, failure=failure)
        concerned = (finding for finding in findings if bug.concerns(finding))
        sides.append(tuple(f"{f['filename']}:{f['location']['row']} {f['code']} {f['message']}" for f in concerned))
    before, after = sides
    return Judged(bug, before, after)


def _arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="holds git clones named owner__repo")
    parser.add_argument("--only", action="append", default=[], metavar="BUG", help="this defect only (repeatable)")
    parser.add_argument(
        "--rows", type=Path, default=ROWS, metavar="FILE", help="other defects: .json, or mined_history.csv"
    )
    parser.add_argument("--write", action="store_true", help="renew mined_history_snapshot.json (with its rows only)")
    parser.add_argument(
        "--limit", type=float, default=300, metavar="SECONDS", help="time limit for one side in seconds (300)"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
