"""The linter's finding about the call sites of a sanitizer finding, if linting is fast enough."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.settings import ownership

_NEAR = 3
_SHOWN = 4  # rules that are named without a finding of them
_LARGEST = 400_000


@dataclass(frozen=True, slots=True)
class Explanation:
    """A lint finding that explains a finding of the sanitizer."""

    rule: str | None  # None: linting took too long
    text: str


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding of the linter, and the rows of a file of the program that it shows."""

    code: str
    message: str
    row: int
    rows: tuple[int, ...]
    file: str


def explain(finding: Finding, seconds: float) -> Explanation | None:
    """The lint finding nearest to the call sites, within a time limit; never raises."""
    files = sorted({site.file for site in finding.sites if _readable(site.file)})
    rules = finding.entry.rules
    if not files or not rules:
        return None
    try:
        found = list(_lint(files, rules, seconds))
    except subprocess.TimeoutExpired:
        names = " ".join(
            files[:3]
        )  # whole: the launcher may run in a different folder than the ranks (`mpirun --wdir`)
        return Explanation(None, f"run `jaxmpi-lint {names}`; related rules: {_first(rules)}")
    except Exception:
        return None
    best = _nearest(found, finding.sites, rules)
    if best is None:
        return None
    where = f"{excerpt.short(best.file)}:{best.row}"
    return Explanation(best.code, f"{where}: {best.code} {best.message} (jaxmpi-lint --explain {best.code})")


def _first(rules: Sequence[str]) -> str:
    """The rules that fit best."""
    rest = f" and {len(rules) - _SHOWN} more" if len(rules) > _SHOWN else ""
    return f"{', '.join(rules[:_SHOWN])}{rest}"


def _readable(name: str) -> bool:
    """Whether it is a file of the program, not a library's, that can be linted."""
    if ownership.is_library(name) or not name.endswith(".py"):
        return False
    try:
        return Path(name).is_file() and Path(name).stat().st_size <= _LARGEST
    except OSError:
        return False


def _lint(files: Sequence[str], codes: Sequence[str], seconds: float) -> Iterator[_Found]:
    """The findings in some files, linted without the project around them, which may be large.

    TimeoutExpired after ``seconds``. The linter is a separate process: what it does cannot harm the monitor.
    """
    with tempfile.TemporaryDirectory(prefix="jaxmpi-lint-") as place:
        folder = os.path.realpath(place)
        copies = {str(number): name for number, name in enumerate(files)}
        for number, name in copies.items():
            os.mkdir(os.path.join(folder, number))
            shutil.copyfile(name, os.path.join(folder, number, os.path.basename(name)))
        options = ["--isolated", "--no-cache", "--jobs=1", "--exit-zero", "--output-format=json", "--quiet"]
        options += ["--min-severity=info", "--min-confidence=low", f"--select={','.join(codes)}"]
        command = [sys.executable, "-P", "-m", "jaxmpi_lint", *options, *copies]
        environment = {**os.environ, "JAXMPI_SANITIZE": "0"}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds,
            check=True,
        )  # fmt: skip
        for one in json.loads(done.stdout):
            yield _found(one, copies)


def _found(one: Mapping[str, Any], copies: Mapping[str, str]) -> _Found:
    name = one["filename"]
    related = [place["location"]["row"] for place in one["related"] if place["filename"] == name]
    first, last = one["location"]["row"], one["end_location"]["row"]
    return _Found(
        one["code"], one["message"], first, (*range(first, last + 1), *related), copies[name.partition("/")[0]]
    )


def _nearest(found: Sequence[_Found], sites: Sequence[Site], rules: Sequence[str]) -> _Found | None:
    """The finding nearest to a call site, those of the more likely rules first."""
    near = [(distance, one) for one in found if (distance := _distance(one, sites)) <= _NEAR and one.code in rules]
    if not near:
        return None
    return min(near, key=lambda pair: (rules.index(pair[1].code), pair[0], pair[1].row))[1]


def _distance(one: _Found, sites: Sequence[Site]) -> int:
    lines = [site.line for site in sites if site.file == one.file]
    return min((abs(line - row) for line in lines for row in one.rows), default=_NEAR + 1)
