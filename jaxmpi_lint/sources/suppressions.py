"""Suppression comments: on a row, for a block, between two rows, for a file.

``# noqa`` and ``# noqa: JM101`` apply to any row of a statement. So does ``# jaxmpi-lint: ignore[JM101] reason``. With
a code, both also apply on the header of a branch or loop that the finding shows. On a separate row, ``ignore`` covers
the next statement with its whole block. ``disable[JM101]`` applies up to ``enable[JM101]`` or the end of the file,
``ignore-file[JM101]`` in the comments at the top to the whole file. Without codes each of them applies to every rule.
``# ruff: noqa`` and ``# flake8: noqa`` are directives of those tools and have no effect here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple

from jaxmpi_lint.sources import lexical_scan
from jaxmpi_lint.sources.lexical_scan import LogicalLine, Span

Rows = tuple[int, int]

NOQA = re.compile(r"#\s*noqa(?!\w)(?:\s*:\s*(?P<codes>[A-Z]+\d+(?:[\s,]+[A-Z]+\d+)*)(?!\w))?", re.IGNORECASE)
_FOREIGN = re.compile(r"#\s*(?:ruff|flake8)\s*:\s*noqa", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"#\s*(?P<name>jaxmpi[-_]lint)\s*:\s*(?P<word>[\w-]*)\s*(?P<bracket>\[)?(?P<codes>(?<=\[)[^\]#]*)?(?P<close>\])?(?P<rest>[^#]*)",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]+\d+", re.IGNORECASE)
_BARE_CODE = re.compile(r"[ \t:,(=]*([A-Z]+\d{3,})", re.IGNORECASE)
_LIST = re.compile(r"[A-Z]+\d+(?:[\s,]+[A-Z]+\d+)*", re.IGNORECASE)
_WORDS = ("ignore", "ignore-file", "disable", "enable", "uniform")
_CONTINUATIONS = re.compile(r"(?:elif|else|except|finally)\b")
_REST = re.compile(r"[ \t]*+(\r\n|\r|\n|\Z)")
_BLANKS = re.compile(r"[ \t]*+")
_OWN = "JM"
_OF_A_ROW = ("noqa", "line")


class Problem(NamedTuple):
    """A comment that looks like a suppression but is not one."""

    row: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Suppression:
    """The effect of one comment: ``code`` (None for every rule) on ``rows``. ``span`` is that of the directive."""

    kind: str
    code: str | None
    rows: Rows
    span: Span
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unused:
    """A comment with codes that suppress nothing; ``replacement`` is the directive without them, for its ``span``.

    If nothing remains, ``span`` includes the blanks before the comment, or its whole row.
    """

    codes: tuple[str, ...]
    span: Span
    row: int
    message: str
    replacement: str


@dataclass(slots=True)
class Suppressions:
    """The suppressions of a text; records which of them were used."""

    text: str = ""
    entries: tuple[Suppression, ...] = ()
    problems: tuple[Problem, ...] = ()
    _used: set[Suppression] = field(default_factory=set)

    def covers(self, code: str, rows: Rows, headers: Iterable[Rows] = ()) -> Suppression | None:
        """The narrowest suppression that covers a rule in a statement on the given rows.

        ``headers`` are the rows of the branches and loops that the finding shows: a comment with the code on one of
        these rows applies as well.
        """
        for entry in self.entries:
            if entry.code in (code, None) and _overlap(entry.rows, rows):
                self._used.add(entry)
                return entry
        for entry in self.entries:
            if entry.code == code and entry.kind in _OF_A_ROW and any(_overlap(entry.rows, at) for at in headers):
                self._used.add(entry)
                return entry
        return None

    def unused(self, active: Collection[str]) -> list[Unused]:
        """The comments with codes of active rules that suppressed nothing; never a comment without codes or of other
        tools.
        """
        by_span: dict[Span, list[Suppression]] = {}
        for entry in self.entries:
            by_span.setdefault(entry.span, []).append(entry)
        found: list[Unused] = []
        for span, entries in sorted(by_span.items()):
            idle = [e for e in entries if e not in self._used and self._counts(e, active)]
            if idle:
                found.append(self._unused(span, entries, idle))
        return found

    @staticmethod
    def _counts(entry: Suppression, active: Collection[str]) -> bool:
        if entry.code is None or entry.code not in active or entry.code == "JM003":
            return False
        return entry.kind != "noqa" or entry.code.startswith(_OWN)

    def _unused(self, span: Span, entries: list[Suppression], idle: list[Suppression]) -> Unused:
        gone = tuple(dict.fromkeys(entry.code for entry in idle if entry.code))
        row = self.text.count("\n", 0, span[0]) + 1
        directive = self.text[slice(*span)]
        left = [code for code in dict.fromkeys(entry.code for entry in entries) if code and code not in gone]
        message = f"{', '.join(gone)}: nothing here for `{directive.strip()}` to suppress"
        if left:
            listed = _LIST.sub(", ".join(left), directive, count=1)
            return Unused(gone, span, row, message, listed)
        return Unused(gone, _whole_comment(self.text, span), row, message, "")


def _overlap(one: Rows, other: Rows) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def is_foreign(comment: str) -> bool:
    """Whether a comment is a file-wide directive of a different tool."""
    return _FOREIGN.match(comment) is not None


def parse(text: str, known: Collection[str] | None = None) -> Suppressions:
    """The suppressions of a text. Given the ``known`` codes, unknown codes of this tool's form are problems."""
    lowered = _lowered(text)
    if b"noqa" not in lowered and b"jaxmpi-lint" not in lowered and b"jaxmpi_lint" not in lowered:
        return Suppressions(text)
    reader = _Reader(text, known)
    reader.read()
    order = {"noqa": 0, "line": 1, "block": 2, "range": 3, "file": 4}
    entries = sorted(reader.entries, key=lambda entry: (order[entry.kind], entry.span, entry.code or ""))
    return Suppressions(text, tuple(entries), tuple(sorted(reader.problems)))


def uniform_rows(text: str) -> frozenset[int]:
    """The rows of the statements that ``# jaxmpi-lint: uniform`` declares uniform.

    On a separate row the comment applies to the next statement; if that is compound, to its header.
    """
    if b"jaxmpi-lint" not in _lowered(text):
        return frozenset()
    reader = _Reader(text, None)
    reader.read()
    return frozenset(reader.uniform)


def _lowered(text: str) -> bytes:
    """The text for a case-insensitive search; bytes are several times as fast where it is not all ASCII."""
    return text.encode("utf-8", "surrogatepass").lower()


class _Reader:
    """Reads the comments of one text in order."""

    def __init__(self, text: str, known: Collection[str] | None) -> None:
        self.text = text
        self.known = known
        self.scanned = lexical_scan.scan(text)
        self.lines = lexical_scan.logical_lines(self.scanned)
        self.starts = lexical_scan.row_starts(text)
        self.entries: list[Suppression] = []
        self.problems: list[Problem] = []
        self.uniform: set[int] = set()
        self.open: dict[tuple[str | None, Span], tuple[int, str]] = {}  # of ``disable``: first row and reason

    def read(self) -> None:
        """Fill ``entries``, ``problems`` and ``uniform``."""
        for begin, end in self.scanned.comments:
            comment = self.text[begin:end]
            lowered = comment.lower()
            if "noqa" in lowered and not is_foreign(comment):
                self.noqa(begin, comment)
            if "jaxmpi-lint" in lowered or "jaxmpi_lint" in lowered:
                for match in _DIRECTIVE.finditer(comment):
                    self.directive(begin, match)
        last = len(self.starts)
        for (code, span), (first, reason) in self.open.items():
            self.entries.append(Suppression("range", code, (first, last), span, reason))

    def noqa(self, begin: int, comment: str) -> None:
        """Read one ``# noqa``, possibly after a different comment."""
        match = NOQA.search(comment)
        if match is None:
            return
        span = (begin + match.start(), begin + match.end())
        row = self.row(begin)
        codes = self.codes(match["codes"], span[0], own_only=True) if match["codes"] else (None,)
        self.entries += [Suppression("noqa", code, (row, row), span) for code in codes]

    def directive(self, begin: int, match: re.Match[str]) -> None:
        """Read one ``# jaxmpi-lint: ...``."""
        offset = begin + match.start()
        word = match["word"].lower()
        span = (offset, begin + match.start() + len(match[0].rstrip()))
        if "_" in match["name"]:
            near = get_close_matches(word, _WORDS, 1)
            if near:
                self.problem(offset, f"`# {match['name']}:` has no effect; did you mean `# jaxmpi-lint: {near[0]}`?")
            return
        if word == "uniform":
            self.uniform.update(self.statement_rows(self.row(offset)))
            return
        problem = _malformed(word, match)
        if problem is not None:
            self.problem(offset, problem)
            return
        codes = self.codes(match["codes"], offset) if match["bracket"] else (None,)
        reason = match["rest"].strip(" \t:-")
        if word == "ignore":
            self.ignore(codes, span, reason)
        elif word == "ignore-file":
            self.ignore_file(codes, span, reason)
        elif word == "disable":
            self.open.update({(code, span): (self.row(offset), reason) for code in codes})
        else:
            self.enable(codes, offset)

    def ignore(self, codes: tuple[str | None, ...], span: Span, reason: str) -> None:
        """A comment for a row, or for the next statement if nothing else is on its row."""
        row = self.row(span[0])
        kind, rows = "line", (row, row)
        if self.line_at(row) is None:
            kind, rows = "block", self.block_after(row)
        self.entries += [Suppression(kind, code, rows, span, reason) for code in codes]

    def ignore_file(self, codes: tuple[str | None, ...], span: Span, reason: str) -> None:
        """A comment for the file, if it precedes all code."""
        if self.lines and self.row(span[0]) >= self.lines[0].first:
            self.problem(span[0], "`ignore-file` counts only in the comments at the top of the file; move it there")
            return
        self.entries += [Suppression("file", code, (1, len(self.starts)), span, reason) for code in codes]

    def enable(self, codes: tuple[str | None, ...], offset: int) -> None:
        """The end of ranges; without codes, of all open ones."""
        row = self.row(offset)
        for code in codes:
            closed = [key for key in self.open if code is None or key[0] == code]
            if not closed:
                name = "enable" if code is None else f"enable[{code}]"
                self.problem(offset, f"`{name}` without a `disable` before it; remove it or add the `disable`")
            for key in closed:
                first, reason = self.open.pop(key)
                self.entries.append(Suppression("range", key[0], (first, row), key[1], reason))

    def codes(self, listed: str, offset: int, own_only: bool = False) -> tuple[str, ...]:
        """The codes of a list, in capitals; unknown ones are reported."""
        codes = tuple(dict.fromkeys(code.upper() for code in _CODE.findall(listed)))
        for code in codes:
            if self.known is not None and code not in self.known and (code.startswith(_OWN) or not own_only):
                self.problem(offset, f"unknown code {code}; `jaxmpi-lint --list-rules` shows all")
        return codes

    def problem(self, offset: int, message: str) -> None:
        """Record a comment without the intended effect."""
        row = self.row(offset)
        self.problems.append(Problem(row, offset - self.starts[row - 1] + 1, message))

    def row(self, offset: int) -> int:
        """The row of a character."""
        return lexical_scan.row_of(self.starts, offset)

    def line_at(self, row: int) -> LogicalLine | None:
        """The logical line that contains a row."""
        index = self.index_after(row - 1)
        line = self.lines[index] if index < len(self.lines) else None
        return line if line is not None and line.first <= row else None

    def index_after(self, row: int) -> int:
        """The index of the first logical line that ends after a row."""
        low, high = 0, len(self.lines)
        while low < high:
            middle = (low + high) // 2
            if self.lines[middle].last > row:
                high = middle
            else:
                low = middle + 1
        return low

    def statement_rows(self, row: int) -> Iterator[int]:
        """The rows of the logical line on a row or, if there is none, of the next."""
        index = self.index_after(row - 1)
        if index < len(self.lines):
            yield from range(self.lines[index].first, self.lines[index].last + 1)

    def block_after(self, row: int) -> Rows:
        """The rows of the statement after a row, with decorators, block and further clauses."""
        index = self.index_after(row)
        if index == len(self.lines):
            return (row, row)
        first = self.lines[index]
        while index + 1 < len(self.lines) and self.word(self.lines[index]).startswith("@"):
            index += 1
        last = self.lines[index]
        for line in self.lines[index + 1 :]:
            same = line.indent == first.indent and _CONTINUATIONS.match(self.word(line))
            if line.indent <= first.indent and not same:
                break
            last = line
        return (row, last.last)

    def word(self, line: LogicalLine) -> str:
        """The first word of a logical line."""
        offset = self.starts[line.first - 1]
        return self.scanned.code[offset : offset + line.indent + 16].lstrip()


def _malformed(word: str, match: re.Match[str]) -> str | None:
    """The error in a directive."""
    if word not in _WORDS:
        near = get_close_matches(word, _WORDS, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"it is one of {', '.join(_WORDS)}"
        return f"unknown directive `{word}`; {hint}"
    if match["bracket"]:
        if not match["close"]:
            return f"`{word}[` without `]`; close the list of codes"
        if not _LIST.fullmatch((match["codes"] or "").strip()):
            return f"`{word}[{match['codes']}]` has no list of codes; write `{word}[JM101]`"
    elif (code := _BARE_CODE.match(match["rest"])) is not None:
        return f"codes go in brackets; write `{word}[{code[1].upper()}]`"
    return None


def _whole_comment(text: str, span: Span) -> Span:
    """The directive with the blanks before it, or with its row if there is nothing else."""
    begin, end = span
    rest = _REST.match(text, end)
    if rest is None:  # a different comment follows
        blanks = _BLANKS.match(text, end)
        return begin, blanks.end() if blanks is not None else end
    while begin and text[begin - 1] in " \t":
        begin -= 1
    if begin == 0 or text[begin - 1] in "\r\n":
        return begin, rest.end()
    return begin, rest.start(1)
