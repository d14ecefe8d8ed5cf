"""The linter's finding about the call sites of a sanitizer finding, if linting is fast enough."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from jaxmpi_lint.runtime import excerpt
from jaxmpi_lint.runtime.finding import Finding
from jaxmpi_lint.runtime.snapshot import Site

if TYPE_CHECKING:
    from jaxmpi_lint.findings.diagnostics import Diagnostic

_NEAR = 3
_LARGEST = 400_000
_BASE = "/"  # to which the names of files in the findings are relative


@dataclass(frozen=True, slots=True)
class Explanation:
    """A lint finding that explains a finding of the sanitizer."""

    rule: str | None  # None: linting took too long
    text: str


class _Late(Exception):
    """The time limit was exceeded."""


def explain(finding: Finding, seconds: float) -> Explanation | None:
    """The lint finding nearest to the call sites, within a time limit; never raises."""
    files = sorted({site.file for site in finding.sites if _readable(site.file)})
    if not files or not finding.entry.rules:
        return None
    try:
        with _at_most(seconds):
            found = _lint(files, finding.entry.rules)
    except _Late:
        names = " ".join(excerpt.short(name) for name in files[:3])
        return Explanation(None, f"run `jaxmpi-lint {names}`; related rules: {', '.join(finding.entry.rules)}")
    except Exception:
        return None
    best = _nearest(found, finding.sites, finding.entry.rules)
    if best is None:
        return None
    where = f"{excerpt.short(os.path.join(_BASE, best.filename))}:{best.start.row}"
    return Explanation(best.code, f"{where}: {best.code} {best.message} (jaxmpi-lint --explain {best.code})")


def _readable(name: str) -> bool:
    try:
        return name.endswith(".py") and Path(name).is_file() and Path(name).stat().st_size <= _LARGEST
    except OSError:
        return False


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _lint(files: Sequence[str], codes: Sequence[str]) -> list[Diagnostic]:
    """The findings in some files, linted without the project around them, which may be large."""
    from jaxmpi_lint.engine.engine import Engine, Request
    from jaxmpi_lint.rules import registry
    from jaxmpi_lint.settings.settings import Settings
    from jaxmpi_lint.sources import discovery

    rules = [rule for rule in registry.load() if rule.code in codes]
    found: list[Diagnostic] = []
    for name in files:
        path = os.path.realpath(name)
        settings = Settings(root=Path(path).parent, no_cache=True, jobs=1)
        tree = discovery.Tree(str(settings.root), {path: discovery.entry_of(path)})
        request = Request(settings, (Path(path),), _BASE)
        found += Engine(request, tree=tree, rules=rules).lint().diagnostics
    return found


def _nearest(found: Sequence[Diagnostic], sites: Sequence[Site], rules: Sequence[str]) -> Diagnostic | None:
    """The finding nearest to a call site, those of the more likely rules first."""
    near = [(distance, one) for one in found if (distance := _distance(one, sites)) <= _NEAR]
    if not near:
        return None

    def order(pair: tuple[int, Diagnostic]) -> tuple[int, int, int]:
        distance, one = pair
        likely = rules.index(one.code) if one.code in rules else len(rules)
        return (likely, distance, one.start.row)

    likely = [pair for pair in near if pair[1].code in rules]
    return min(likely, key=order)[1] if likely else None


def _distance(one: Diagnostic, sites: Sequence[Site]) -> int:
    best = _NEAR + 1
    rows = [(one.filename, *(one.rows or (one.start.row, one.end.row)))]
    rows += [(related.filename, related.start.row, related.start.row) for related in one.related]
    for site in sites:
        for name, first, last in rows:
            if os.path.basename(name) == os.path.basename(site.file):
                best = min(best, max(first - site.line, site.line - last, 0))
    return best
