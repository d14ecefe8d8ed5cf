"""The lines of the ``full`` format: a finding with its steps beside the source, as text with a role for each part.

The plain and the coloured form print the same lines; only the coloured form assigns a style to each role.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from jaxmpi_lint.findings.diagnostics import Applicability, Diagnostic, Position
from jaxmpi_lint.reporters.display import Excerpt, clean, excerpt, width, wrap
from jaxmpi_lint.reporters.report import Report, place

UNLIMITED = 120  # columns of source shown without a terminal's limit
GAP = 4  # spaces between source and note
WIDEST_ALIGNED = 60  # longer lines do not shift the notes of the others
NARROWEST_NOTE = 24  # a note with less space goes below its line
LONGEST_SPAN = 3  # rows shown of a finding that extends over several
ARROW = "<- "
INDENT = "    "  # before the second line of a long message
EMPTY = Excerpt("", 0, 0)


class Role(Enum):
    """The role of a part of a line."""

    PLACE = auto()
    CODE = auto()
    NAME = auto()
    MESSAGE = auto()
    QUOTED = auto()
    GUTTER = auto()
    SOURCE = auto()
    MARK = auto()
    NOTE = auto()
    OWN_NOTE = auto()
    SIGN = auto()
    REMEDY = auto()


Line = list[tuple[str, Role]]


@dataclass(slots=True)
class Row:
    """One line of source in the story."""

    number: int
    mark: tuple[int, int] | None = None
    notes: list[str] = field(default_factory=list)
    excerpt: Excerpt = EMPTY

    @property
    def indent(self) -> int:
        """Columns before the first word."""
        return len(self.excerpt.text) - len(self.excerpt.text.lstrip())


def lines(diagnostic: Diagnostic, report: Report, columns: int | None) -> Iterator[Line]:
    """The lines of one finding; ``columns`` is the width of the terminal, None if there is none."""
    yield from _header(diagnostic, columns)
    groups = _groups(diagnostic)
    gutter = max([5, *(len(str(row.number)) + 2 for rows in groups.values() for row in rows.values())])
    room = UNLIMITED if columns is None else max(20, columns - gutter - 3)
    for (filename, cell), rows in groups.items():
        shown = _located(rows, filename, cell, report, room)
        if shown and (filename, cell) != (diagnostic.filename, diagnostic.cell):
            yield [(" " * (gutter - 3), Role.GUTTER), (_heading(filename, cell, shown[0].number), Role.PLACE)]
        yield from _body(shown, gutter, None if columns is None else room)
    yield from _table(diagnostic, gutter, room)
    for sentence in _advice(diagnostic):
        first, *rest = [sentence] if columns is None else wrap(sentence, max(30, columns - 5))
        yield [("   = ", Role.SIGN), *_prose(first, Role.REMEDY)]
        for continuation in rest:
            yield [("     ", Role.SIGN), *_prose(continuation, Role.REMEDY)]


def _table(diagnostic: Diagnostic, gutter: int, room: int) -> Iterator[Line]:
    """The last events of the ranks, one column for each; a table that is too wide is left out."""
    widths = [max(width(clean(cell)) for cell in column) for column in zip(*diagnostic.table, strict=True)]
    if not widths or sum(widths) + GAP * (len(widths) - 1) > room:
        return
    blank = " " * gutter
    yield [(f"{blank} |", Role.GUTTER)]
    for row in diagnostic.table:
        cells = [f"{clean(cell):<{size}}" for cell, size in zip(row, widths, strict=True)]
        yield [(f"{blank} | ", Role.GUTTER), ((" " * GAP).join(cells).rstrip(), Role.SOURCE)]


def _header(diagnostic: Diagnostic, columns: int | None) -> Iterator[Line]:
    """Place, severity, rule and message."""
    where = place(clean(diagnostic.filename), diagnostic.cell, diagnostic.start)
    message = clean(diagnostic.message)
    start: Line = [
        (f"{where}: ", Role.PLACE),
        (f"{diagnostic.severity.value}[{diagnostic.code}]", Role.CODE),
        (f" {diagnostic.name}: ", Role.NAME),
    ]
    used = sum(width(text) for text, _ in start) - len(INDENT)
    first, *rest = [message] if columns is None else wrap(message, max(30, columns - len(INDENT)), used)
    yield [*start, *_prose(first, Role.MESSAGE)]
    for continuation in rest:
        yield [(INDENT, Role.MESSAGE), *_prose(continuation, Role.MESSAGE)]


def _groups(diagnostic: Diagnostic) -> dict[tuple[str, int | None], dict[int, Row]]:
    """The rows of the story by file and cell, the finding's own first."""
    own = {number: Row(number, mark) for number, mark in _marks(diagnostic.start, diagnostic.end)}
    groups = {(diagnostic.filename, diagnostic.cell): own}
    for step in diagnostic.related:
        rows = groups.setdefault((step.filename, step.cell), {})
        row = rows.setdefault(step.start.row, Row(step.start.row))
        note = clean(step.message)
        if note and note not in row.notes:
            row.notes.append(note)
    return groups


def _marks(start: Position, end: Position) -> Iterator[tuple[int, tuple[int, int]]]:
    """The rows of a finding and the marked characters of each, counted from 0; a long one shows its first row only."""
    last = end.row - 1 if end.column == 1 and end.row > start.row else end.row
    if last - start.row >= LONGEST_SPAN:
        last = start.row
    for number in range(start.row, last + 1):
        first = start.column - 1 if number == start.row else 0
        yield number, (first, end.column - 1 if number == end.row else 10**9)


def _located(rows: dict[int, Row], filename: str, cell: int | None, report: Report, room: int) -> list[Row]:
    """The rows in file order with their displayed source; one without source is shown only for its notes."""
    shown: list[Row] = []
    for row in sorted(rows.values(), key=lambda row: row.number):
        source = report.line(filename, cell, row.number)
        if source is None and not row.notes:
            continue
        source = source or ""
        first, last = row.mark or (0, 0)
        indent = len(source) - len(source.lstrip())
        row.excerpt = excerpt(source, max(first, indent) if row.mark else 0, last, room)
        shown.append(row)
    return shown


def _heading(filename: str, cell: int | None, row: int) -> str:
    return f"{clean(filename)}:{row}" if cell is None else f"{clean(filename)}:cell {cell}:{row}"


def _body(rows: list[Row], gutter: int, room: int | None) -> Iterator[Line]:
    """Source lines with their notes in one column where they fit."""
    limit = WIDEST_ALIGNED if room is None else min(WIDEST_ALIGNED, room - GAP - NARROWEST_NOTE)
    column = GAP + max((row.excerpt.width for row in rows if row.notes and row.excerpt.width <= limit), default=0)
    blank = (" " * gutter + " | ", Role.GUTTER)
    for row in rows:
        note_role = Role.OWN_NOTE if row.mark else Role.NOTE
        source: Line = [(f"{row.number:>{gutter}} | ", Role.GUTTER), *_marked(row)]
        at = max(column, row.excerpt.width + GAP)
        below = room is not None and bool(row.notes) and room - at < NARROWEST_NOTE and not _fits(row.notes, room - at)
        if below or not row.notes:
            yield source
            at = min(row.indent, max(0, (room or 0) - NARROWEST_NOTE))
        free = None if room is None else room - at
        for index, text in enumerate(_arrows(row.notes, free)):
            if index == 0 and not below:
                yield [*source, (" " * (at - row.excerpt.width), Role.SOURCE), (text, note_role)]
            else:
                yield [blank, (" " * at, Role.SOURCE), (text, note_role)]


def _fits(notes: list[str], free: int) -> bool:
    return all(len(ARROW) + width(note) <= free for note in notes)


def _arrows(notes: list[str], free: int | None) -> Iterator[str]:
    """The lines of the notes, each after its arrow, wrapped to the free columns."""
    for note in notes:
        first, *rest = [note] if free is None else wrap(note, free - len(ARROW))
        yield ARROW + first
        for continuation in rest:
            yield " " * len(ARROW) + continuation


def _marked(row: Row) -> Line:
    shown = row.excerpt
    if row.mark is None:
        return [(shown.text, Role.SOURCE)]
    parts = [
        (shown.text[: shown.start], Role.SOURCE),
        (shown.text[shown.start : shown.end], Role.MARK),
        (shown.text[shown.end :], Role.SOURCE),
    ]
    return [part for part in parts if part[0]]


def _advice(diagnostic: Diagnostic) -> Iterator[str]:
    """The remedy, and the option that applies it."""
    if diagnostic.remedy:
        yield clean(diagnostic.remedy)
    if diagnostic.fix is not None:
        match diagnostic.fix.applicability:
            case Applicability.SAFE:
                yield f"--fix does this: {clean(diagnostic.fix.message)}"
            case Applicability.UNSAFE:
                yield f"--fix --unsafe-fixes does this, check the result: {clean(diagnostic.fix.message)}"
            case Applicability.DISPLAY:
                yield f"possible fix, to be made manually: {clean(diagnostic.fix.message)}"


def _prose(text: str, role: Role) -> Line:
    """Text with its `quoted` parts, backticks included, highlighted."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return [(text, role)]
    return [
        (f"`{piece}`", Role.QUOTED) if index % 2 else (piece, role)
        for index, piece in enumerate(pieces)
        if piece or index % 2
    ]
