"""Input of the reporters: the findings of a run, the texts they refer to, and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from jaxmpi_lint.findings.diagnostics import Applicability, Diagnostic, Position, Severity
from jaxmpi_lint.findings.model import RuleInfo, Suppressed


@dataclass(frozen=True)
class Report:
    """The outcome of one run.

    ``diagnostics`` are shown; ``suppressed`` and ``baselined`` ones only appear in formats that represent them.
    ``baseline`` is true if a baseline was used: the shown findings are then new. ``texts`` holds the analysed text of
    every file that a finding or one of its steps refers to. ``cells`` gives, for each notebook, the row of that text at
    which each of its code cells starts. ``docs_url`` is the address of the rule pages.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    rules: tuple[RuleInfo, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    baselined: tuple[Diagnostic, ...] = ()
    baseline: bool = False
    files: int = 0
    communicating: int = 0
    not_analysed: int = 0
    fixed: int = 0
    quiet: bool = False
    docs_url: str | None = None

    def url(self, code: str) -> str | None:
        """The page of a rule, if the settings say where the pages are; ``--explain`` shows each of them."""
        return None if self.docs_url is None else f"{self.docs_url.rstrip('/')}/rules/{code}/"

    @cached_property
    def ordered(self) -> tuple[Diagnostic, ...]:
        """The findings shown, sorted by place."""
        return tuple(sorted(self.diagnostics, key=lambda diagnostic: diagnostic.sort_key))

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        return {}

    def row(self, filename: str, cell: int | None, row: int) -> int:
        """The row in the analysed text of a row of a file or of one of its cells."""
        starts = self.cells.get(filename, ())
        return row if cell is None or cell > len(starts) else starts[cell - 1] + row - 1

    def line(self, filename: str, cell: int | None, row: int) -> str | None:
        """One line of source without its line ending, or None if the text is not available."""
        from jaxmpi_lint.sources.lexical_scan import line_starts

        text = self.texts.get(filename)
        if text is None:
            return None
        starts = self._starts.get(filename)
        if starts is None:
            starts = self._starts[filename] = line_starts(text)
        index = self.row(filename, cell, row) - 1
        if not 0 <= index < len(starts):
            return None
        end = starts[index + 1] if index + 1 < len(starts) else len(text)
        return text[starts[index] : end].rstrip("\r\n")

    def by_file(self) -> Iterator[tuple[str, tuple[Diagnostic, ...]]]:
        """The shown findings, one group for each file, sorted."""
        groups: dict[str, list[Diagnostic]] = {}
        for diagnostic in self.ordered:
            groups.setdefault(diagnostic.filename, []).append(diagnostic)
        for filename, diagnostics in groups.items():
            yield filename, tuple(diagnostics)

    def tally(self) -> str | None:
        """The number of findings and of those that ``--fix`` fixes; None if there are none."""
        if not self.diagnostics:
            return None
        counts = [_count(self.diagnostics, severity) for severity in Severity]
        found = ", ".join(
            plural(count, severity.value) if severity is not Severity.INFO else f"{count} info"
            for severity, count in zip(Severity, counts, strict=True)
            if count
        )
        safe, unsafe = (
            sum(diagnostic.fix is not None and diagnostic.fix.applicability is kind for diagnostic in self.diagnostics)
            for kind in (Applicability.SAFE, Applicability.UNSAFE)
        )
        offers = [f"{safe} with --fix"] * bool(safe) + [f"{unsafe} with --unsafe-fixes"] * bool(unsafe)
        return f"{found} found" + (f"; fixable: {', '.join(offers)}" if offers else "")

    def verdict(self) -> str:
        """The second-to-last line of a run: the number of findings, or that there are none."""
        return self.tally() or ("no new findings" if self.baseline else "no findings")

    def closing(self) -> str:
        """The last line of a run."""
        communicate = "communicates" if self.communicating == 1 else "communicate"
        return f"{plural(self.files, 'file')}, {self.communicating} {communicate}, {self.not_analysed} not analysed"


def plural(count: int, word: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def place(filename: str, cell: int | None, position: Position) -> str:
    """``train.py:41:9``, in a notebook ``train.ipynb:cell 3:2:5``."""
    inside = f"cell {cell}:" if cell is not None else ""
    return f"{filename}:{inside}{position.row}:{position.column}"


def _count(diagnostics: Iterable[Diagnostic], severity: Severity) -> int:
    return sum(diagnostic.severity is severity for diagnostic in diagnostics)
