"""From spans of characters in an analysed text to displayed positions in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Diagnostic, Edit, Fix, Related
from jaxmpi_lint.sources.files import display

if TYPE_CHECKING:
    from jaxmpi_lint.findings.model import Finding, Repair, SourceFile, Span
    from jaxmpi_lint.sources.decode import Source


class Locator:
    """Converts findings to diagnostics; file names are relative to ``folder`` where the file lies below it."""

    def __init__(self, sources: Mapping[str, Source], folder: str, names: Mapping[str, str]) -> None:
        self._sources = sources
        self._folder = folder
        self._names = names

    def filename(self, path: str) -> str:
        """The displayed name of a file."""
        return self._names.get(path) or display(path, self._folder)

    def diagnostic(self, finding: Finding) -> Diagnostic:
        """The finding as a diagnostic."""
        path = finding.module.path
        source = self._sources[path]
        cell, start = source.place(finding.span[0])
        last_cell, end = source.place(max(finding.span))
        return Diagnostic(
            code=finding.rule.code,
            name=finding.rule.name,
            severity=finding.severity,
            confidence=finding.confidence,
            message=finding.message,
            filename=self.filename(path),
            start=start,
            end=end if last_cell == cell else start,
            cell=cell,
            rows=self._rows(source, finding.module.statement_around(finding.span)),
            related=tuple(self._related(step.module, step.span, step.message) for step in finding.steps),
            remedy=finding.remedy,
            fix=self._fix(finding.module, finding.repair, cell),
            table=finding.table,
        )

    def _related(self, module: SourceFile, span: Span, message: str) -> Related:
        cell, start = self._sources[module.path].place(span[0])
        return Related(self.filename(module.path), start, message, cell)

    def _rows(self, source: Source, statement: Span) -> tuple[int, int]:
        """First and last row of a statement, in the numbering of its start."""
        _, first = source.place(statement[0])
        _, last = source.place(max(statement[0], statement[1] - 1))
        return first.row, max(first.row, last.row)

    def _fix(self, module: SourceFile, repair: Repair | None, cell: int | None) -> Fix | None:
        """The fix, unless it crosses its cell or the syntax tree did not reproduce the file."""
        if repair is None or not module.faithful:
            return None
        source = self._sources[module.path]
        edits: list[Edit] = []
        for span, content in repair.edits:
            (first, start), (last, end) = source.place(span[0]), source.place(span[1])
            if first != cell or last != cell:
                return None
            edits.append(Edit(start, end, content))
        return Fix(repair.applicability, repair.message, tuple(edits))


def rows_in_text(module: SourceFile, span: Span) -> tuple[int, int]:
    """The rows, in the analysed text, of the statement around a span."""
    statement = module.statement_around(span)
    first, _ = module.position(statement[0])
    last, _ = module.position(max(statement[0], statement[1] - 1))
    return first, last
