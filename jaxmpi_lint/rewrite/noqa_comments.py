"""``--add-noqa``: a suppression comment on the row of every finding."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.sources import lexical_scan
from jaxmpi_lint.sources.suppressions import NOQA, is_foreign

if TYPE_CHECKING:
    from jaxmpi_lint.sources.decode import Source

_TOOL = "JM0"  # findings about a file or a comment, which no comment on a row suppresses


def add_noqa(source: Source, diagnostics: Iterable[Diagnostic]) -> str:
    """The text of a file with a ``# noqa: CODE`` for each of its findings; repeating it changes nothing."""
    text = source.text
    scanned = lexical_scan.scan(text)
    rows = _Rows(scanned)
    first_rows = (1,) if source.notebook is None else source.notebook.first_rows
    wanted: dict[int, set[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic.code.startswith(_TOOL):
            continue
        shift = first_rows[(diagnostic.cell or 1) - 1] - 1
        last = (diagnostic.rows or (0, diagnostic.start.row))[1]
        wanted.setdefault(rows.commentable(diagnostic.start.row + shift, last + shift), set()).add(diagnostic.code)
    pieces: list[str] = []
    done = 0
    for row, codes in sorted(wanted.items()):
        start, end = rows.bounds(row)
        pieces += [text[done:start], _with_codes(text[start:end], rows.comment(row), codes)]
        done = end
    return "".join([*pieces, text[done:]])


class _Rows:
    """The rows of a text: their offsets, and which of them may end with a comment."""

    def __init__(self, scanned: lexical_scan.Lexical) -> None:
        self._scanned = scanned
        self._starts = lexical_scan.row_starts(scanned.text)
        self._lasts = [line.last for line in lexical_scan.logical_lines(scanned)]
        self._comments = {lexical_scan.row_of(self._starts, begin): begin for begin, _ in scanned.comments}

    def bounds(self, row: int) -> tuple[int, int]:
        """Start and end of a row, without its line ending."""
        start = self._starts[row - 1]
        end = self._starts[row] if row < len(self._starts) else len(self._scanned.text)
        part = self._scanned.text[start:end]
        return start, start + len(part.removesuffix("\n").removesuffix("\r"))

    def comment(self, row: int) -> int | None:
        """The column, from 0, of the comment on a row."""
        begin = self._comments.get(row)
        return None if begin is None else begin - self._starts[row - 1]

    def commentable(self, row: int, last: int) -> int:
        """The row itself, or the last of its statement if a string or a backslash continues beyond the row's end."""
        row = max(1, min(row, len(self._starts)))
        if self._may_end(row):
            return row
        if row <= last <= len(self._starts) and self._may_end(last):
            return last
        index = bisect_right(self._lasts, row - 1)
        return self._lasts[index] if index < len(self._lasts) else len(self._starts)

    def _may_end(self, row: int) -> bool:
        start, end = self.bounds(row)
        code = self._scanned.code
        if end < len(code) and code[end] == lexical_scan.HIDDEN:
            return False
        return row in self._comments or not code[start:end].endswith("\\")


def _with_codes(line: str, comment: int | None, codes: set[str]) -> str:
    """A row with codes added to its ``# noqa`` or with one appended."""
    part = "" if comment is None else line[comment:]
    match = None if is_foreign(part) else NOQA.search(part)
    if match is None or comment is None:
        return f"{line.rstrip()}  # noqa: {', '.join(sorted(codes))}"
    if match["codes"] is None:
        return line
    present = {code.upper() for code in match["codes"].replace(",", " ").split()}
    missing = sorted(codes - present)
    end = comment + match.end("codes")
    return f"{line[:end]}{''.join(f', {code}' for code in missing)}{line[end:]}"
