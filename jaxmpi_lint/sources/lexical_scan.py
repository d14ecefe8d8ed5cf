"""Lexical scan for comments and string literals in Python text: a single linear pass that never fails.

Suppressions, the parser limits and ``--add-noqa`` need only rows, brackets and comments, also of texts that the parser
may refuse. Formatted strings follow PEP 701 (quotes may be nested, fields may contain comments), which covers the older
form too. The Python Language Reference, section 2.4.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

Span = tuple[int, int]

HIDDEN = "\0"  # replaces a character of a comment or string in ``Lexical.code``; no Python text contains it

_ROW_END = re.compile(r"\r\n|\r|\n")
_START = re.compile("[\"'#]")
_LITERAL = re.compile(
    r"""
    \#[^\r\n]*+
    | \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ (?:\"{3})?
    | '{3}  (?: [^'\\]++ | \\. | '(?!'') )*+ (?:'{3})?
    | "     (?: [^"\\\r\n]++ | \\(?:\r\n|.) )*+ "?
    | '     (?: [^'\\\r\n]++ | \\(?:\r\n|.) )*+ '?
    """,
    re.VERBOSE | re.DOTALL,
)
_TEXT_PART = re.compile(r"(?: [^\\{}\"'\r\n]++ | \{\{ | \}\} | \\N\{[^}\r\n]*+\} | \\(?:\r\n|[^{}]) )++", re.VERBOSE)
_RAW_PART = re.compile(r"(?: [^\\{}\"'\r\n]++ | \{\{ | \}\} | \\(?:\r\n|[^{}]) )++", re.VERBOSE)
_SPEC_PART = re.compile(r"[^{}\"'\r\n]++")
_FIELD_PART = re.compile(r"[^()\[\]{}:\"'#]++")
_PREFIX = "fFrRtTbBuU"
_FORMATTED = frozenset("fFtT")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Lexical:
    """The comments and the outermost string literals (without prefix) of a text.

    ``code`` is as long as the text; the characters of comments and of strings, apart from each string's opening
    quote, are ``HIDDEN`` in it. The replacement fields of formatted strings remain, braces included.
    """

    text: str
    comments: tuple[Span, ...]
    strings: tuple[Span, ...]
    code: str


def scan(text: str) -> Lexical:
    """Find the comments and strings of a text."""
    scanner = _Scanner(text)
    scanner.run()
    return Lexical(text, tuple(scanner.comments), tuple(scanner.strings), "".join(scanner.pieces))


@dataclass(slots=True)
class _Open:
    """The context of a position inside a formatted string: its text, a field or the format specification of a field."""

    kind: str
    delimiter: str
    raw: bool = False
    depth: int = 0


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.done = 0  # everything before is in ``pieces``
        self.comments: list[Span] = []
        self.strings: list[Span] = []
        self.pieces: list[str] = []

    def run(self) -> None:
        text, pieces, literal, search = self.text, self.pieces, _LITERAL.match, _START.search
        position = done = 0
        while (start := search(text, position)) is not None:
            begin = start.start()
            pieces.append(text[done:begin])
            prefix = _prefix(text, begin) if text[begin] != "#" else ""
            if not _FORMATTED.isdisjoint(prefix):
                self.done = begin
                position = done = self.formatted(begin, prefix)
                self.strings.append((begin, position))
                continue
            match = literal(text, begin)
            assert match is not None
            position = done = match.end()
            if text[begin] == "#":
                self.comments.append((begin, position))
                pieces.append(HIDDEN * (position - begin))
            else:
                self.strings.append((begin, position))
                pieces.append('"' + HIDDEN * (position - begin - 1))
        pieces.append(text[done:])

    def formatted(self, begin: int, prefix: str) -> int:
        """Scan one formatted string with everything nested in it; the offset after it."""
        stack = [self.opened(begin, prefix)]
        position = begin + len(stack[0].delimiter)
        while stack and position < len(self.text):
            step = self.field if stack[-1].kind == "field" else self.literal_text
            following = step(position, stack)
            if following is None:  # not terminated in its row
                break
            position = following
        self.flush(position, stack[-1].kind == "field" if stack else False)
        return position

    def opened(self, quote: int, prefix: str) -> _Open:
        """Start a formatted string whose opening quote is not emitted yet."""
        self.pieces.append('"')
        self.done = quote + 1
        mark = self.text[quote]
        delimiter = mark * 3 if self.text.startswith(mark * 3, quote) else mark
        return _Open("text", delimiter, raw="r" in prefix.lower())

    def flush(self, position: int, visible: bool) -> None:
        """Emit the characters before ``position``, as code or as a part of a string."""
        part = self.text[self.done : position]
        self.pieces.append(part if visible else HIDDEN * len(part))
        self.done = position

    def literal_text(self, position: int, stack: list[_Open]) -> int | None:
        """One step through the text or a format specification; None if the string ends with its row."""
        text, top = self.text, stack[-1]
        part = _SPEC_PART if top.kind == "spec" else _RAW_PART if top.raw else _TEXT_PART
        match = part.match(text, position)
        if match is not None:
            return match.end()
        char = text[position]
        if text.startswith(top.delimiter, position):
            position += len(top.delimiter)
            self.flush(position, False)
            while stack.pop().kind != "text":  # a string that ends inside its own field ends all of it
                pass
            return position
        if char == "{":
            self.flush(position, False)
            stack.append(_Open("field", top.delimiter))
        elif char == "}" and top.kind == "spec":
            self.flush(position, False)
            stack.pop()
            return position
        elif char in "\r\n" and len(top.delimiter) == 1:
            return None
        return position + 1

    def field(self, position: int, stack: list[_Open]) -> int | None:
        """One step through a replacement field."""
        text, top = self.text, stack[-1]
        match = _FIELD_PART.match(text, position)
        if match is not None:
            return match.end()
        char = text[position]
        if char in "([{":
            top.depth += 1
        elif char in ")]":
            top.depth -= top.depth > 0
        elif char == "}" and not top.depth:
            stack.pop()
            self.flush(position + 1, True)
        elif char == "}":
            top.depth -= 1
        elif char == ":" and not top.depth:
            self.flush(position + 1, True)
            stack.append(_Open("spec", top.delimiter, top.raw))
        elif char in "\"'#":
            return self.nested(position, stack)
        return position + 1

    def nested(self, position: int, stack: list[_Open]) -> int:
        """A comment or string inside a field."""
        self.flush(position, True)
        prefix = _prefix(self.text, position)
        if self.text[position] != "#" and not _FORMATTED.isdisjoint(prefix):
            stack.append(self.opened(position, prefix))
            return position + len(stack[-1].delimiter)
        match = _LITERAL.match(self.text, position)
        assert match is not None
        if self.text[position] == "#":
            self.comments.append(match.span())
        else:
            self.pieces.append('"')
            self.done = position + 1
        self.flush(match.end(), False)
        return match.end()


def _prefix(text: str, quote: int) -> str:
    """The letters that make the string at ``quote`` a raw, bytes or formatted one."""
    start = quote
    while start and quote - start < 2 and text[start - 1] in _PREFIX:
        start -= 1
    if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return ""
    return text[start:quote]


# --- rows and statements -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """The rows, from 1, of one line in the sense of the grammar, and the width of its indentation (tabs to 8)."""

    first: int
    last: int
    indent: int


def logical_lines(lexical: Lexical) -> list[LogicalLine]:
    """The logical lines that contain code, in order. The Python Language Reference, section 2.1.5."""
    lines: list[LogicalLine] = []
    code, depth, row, first, begin = lexical.code, 0, 1, 1, 0
    rows = _rows(lexical)
    for number, (start, end, ending) in enumerate(rows):
        part = code[start:end]
        depth = max(0, depth + sum(map(part.count, "([{")) - sum(map(part.count, ")]}")))
        row += 1
        joined = ending and (depth or part.endswith("\\") or ending == HIDDEN)
        if joined and number + 1 < len(rows):
            continue
        if code[begin:end].replace(HIDDEN, "").strip():
            lines.append(LogicalLine(first, row - 1, _width(code, begin)))
        first, begin = row, end + len(ending)
        depth = 0
    return lines


def row_starts(text: str) -> list[int]:
    """The offset of the first character of each row."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def row_of(starts: list[int], offset: int) -> int:
    """The row, from 1, of a character."""
    return bisect_right(starts, offset)


def _rows(lexical: Lexical) -> list[tuple[int, int, str]]:
    """Start, end and ending of each row; the ending inside a multi-line string is HIDDEN."""
    rows: list[tuple[int, int, str]] = []
    start = 0
    for match in _LINE_END.finditer(lexical.text):
        hidden = lexical.code[match.start()] == HIDDEN
        rows.append((start, match.start(), HIDDEN if hidden else match.group()))
        start = match.end()
    rows.append((start, len(lexical.text), ""))
    return rows


def _width(code: str, begin: int) -> int:
    width = 0
    for char in code[begin:]:
        if char == "\t":
            width += 8 - width % 8
        elif char == " ":
            width += 1
        elif char == "\f":
            width = 0
        else:
            break
    return width


def line_starts(text: str) -> list[int]:
    """The offset of the first character of each row; rows end at LF, CRLF or CR, as in Python."""
    return [0, *(end.end() for end in _ROW_END.finditer(text))]
