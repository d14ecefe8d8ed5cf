"""Suppressions: a file of patterns, and comments at the call sites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from jaxmpi_lint.runtime.findings import callers
from jaxmpi_lint.runtime.findings.catalogue import CODES
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.ledger.snapshot import Site

_LINE = re.compile(r"(?P<code>\*|JS\d{3})\s+(?P<what>file|function):(?P<pattern>\S+)(?:\s+(?P<reason>.*))?")
_MARK = "jaxmpi-lint"


@dataclass(slots=True)
class Suppression:
    """One line of the file, and how many findings it suppressed."""

    code: str
    what: str  # "file" or "function"
    pattern: str
    reason: str
    used: int = 0

    def matches(self, finding: Finding) -> bool:
        """Whether any call site of the finding matches."""
        if self.code not in ("*", finding.code):
            return False
        return any(self._fits(site) for start in finding.sites for site in _outward(start))

    def _fits(self, site: Site) -> bool:
        if self.what == "function":
            return fnmatchcase(site.function, self.pattern)
        return fnmatchcase(site.file, self.pattern) or fnmatchcase(Path(site.file).name, self.pattern)

    def __str__(self) -> str:
        """The line as in the file."""
        return f"{self.code} {self.what}:{self.pattern}"


def _outward(site: Site) -> Iterator[Site]:
    at: Site | None = site
    while at is not None:
        yield at
        at = at.caller


@dataclass(slots=True)
class Suppressions:
    """All suppressions of a job."""

    entries: list[Suppression] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    comments: int = 0

    @classmethod
    def read(cls, name: str) -> Suppressions:
        """The suppressions of a file; malformed lines are problems."""
        found = cls()
        if not name:
            return found
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            found.problems.append(f"suppressions={name} cannot be read ({reason}); its suppressions are ignored")
            return found
        for number, line in enumerate(text.splitlines(), 1):
            found._add(name, number, line.strip())
        return found

    def _add(self, name: str, number: int, line: str) -> None:
        if not line or line.startswith("#"):
            return
        match = _LINE.fullmatch(line)
        if match is None or (match["code"] not in CODES and match["code"] != "*"):
            want = "`CODE file:PATTERN reason` or `CODE function:PATTERN reason`"
            self.problems.append(f"{name}:{number}: {line!r} is not of the form {want}; the line is ignored")
            return
        self.entries.append(Suppression(match["code"], match["what"], match["pattern"], match["reason"] or ""))

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is suppressed; if so, it is counted."""
        for entry in self.entries:
            if entry.matches(finding):
                entry.used += 1
                return True
        if any(_comment(finding.code, frame) for site in finding.sites for frame in callers.frames(site)):
            self.comments += 1
            return True
        return False

    def summary(self) -> Sequence[str]:
        """The counts of suppressed findings, for the end of the job."""
        found = [
            f"suppressed {entry.used} x {entry}{f' ({entry.reason})' if entry.reason else ''}"
            for entry in self.entries
            if entry.used
        ]
        if self.comments:
            found.append(f"suppressed {self.comments} x by comments at the call sites")
        return found


def _comment(code: str, site: Site) -> bool:
    from jaxmpi_lint.sources import suppressions

    try:
        text = Path(site.file).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    if _MARK not in text:
        return False
    if not site.file.endswith(".py"):
        return _comment_in_compiled(code, text.splitlines()[site.line - 1 : site.line])
    entries = suppressions.parse(text).entries
    named = [entry for entry in entries if entry.code == code and entry.kind != "noqa"]
    return any(entry.rows[0] <= site.line <= entry.rows[1] for entry in named)


def _comment_in_compiled(code: str, lines: Sequence[str]) -> bool:
    """Whether a comment of C or Fortran on one of the lines names the code, in the form that Python has."""
    from jaxmpi_lint.sources import suppressions

    comments = [line.partition(_MARK)[2].removesuffix("*/") for line in lines if _MARK in line]
    return any(entry.code == code for one in comments for entry in suppressions.parse(f"pass  # {_MARK}{one}").entries)
