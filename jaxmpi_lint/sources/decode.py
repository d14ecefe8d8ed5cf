"""Decoding of a file to the analysed text, and encoding back without unrequested changes.

Encodings follow PEP 263: UTF-8 unless the first or second line declares a different one or there is a byte order mark.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Position
from jaxmpi_lint.findings.errors import Unparsable, UserError
from jaxmpi_lint.sources.lexical_scan import line_starts

if TYPE_CHECKING:
    from jaxmpi_lint.sources.notebooks import Notebook

_DECLARATION = re.compile(rb"[ \t\f]*+#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"[ \t\f]*+(?:#.*)?\Z")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_FIRST_NEWLINE = re.compile(r"\r\n|\r|\n")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_NOT_FOR_FILES = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"})
_LATIN_1 = ("latin-1", "iso-8859-1", "iso-latin-1")

# Syntax that only Python 2 accepts, in text whose strings are hidden except for their opening quotes.
_PYTHON_2 = (
    (
        "`print` statement",
        re.compile(r"(?:^|[:;])[ \t]*print[ \t]+(?!(?:if|in|is|and|or|not|for|else)\b)(?:[\w\"`]|>>)", re.MULTILINE),
    ),
    ("`except` clause with a comma", re.compile(r"\bexcept[ \t]+(?:[\w.]+|\([^()\n]*\))[ \t]*,[ \t]*\w+[ \t]*:")),
    ("`exec` statement", re.compile(r"(?:^|[:;])[ \t]*exec[ \t]+(?!(?:if|in|is|and|or|not)\b)[\w\"]", re.MULTILINE)),
    ("`raise` statement with a comma", re.compile(r"(?:^|[:;])[ \t]*raise[ \t]+[\w.]+[ \t]*,", re.MULTILINE)),
    ("backquotes", re.compile(r"`[^`\n]+`")),
    ("operator `<>`", re.compile(r"<>")),
    (
        "long or octal number",
        re.compile(r"(?<![\w.])(?<![eE][-+])(?:0+[1-7][0-7]*|0[xX][\da-fA-F]+[lL]|\d+[lL])(?![\w.])"),
    ),
    ("string prefix `ur`", re.compile(r"(?<!\w)[uU][rR]\"")),
)


@dataclass(frozen=True)
class Source:
    """An analysed file.

    ``text`` keeps the line endings of the file, ``newline`` is the first of them (LF if there is none), ``bom`` is true
    if the file starts with a byte order mark, which is not in ``text``. For a notebook, ``text`` is that of its code
    cells, in which text that is not Python is replaced by Python of the same length.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    newline: str = "\n"
    notebook: Notebook | None = None

    @cached_property
    def _starts(self) -> list[int]:
        return line_starts(self.text)

    def encode(self, text: str) -> bytes:
        """The bytes of the file with ``text`` in place of ``self.text``."""
        content = text if self.notebook is None else self.notebook.replaced(self.path, text)
        try:
            data = content.encode(self.encoding)
        except UnicodeEncodeError as error:
            character = content[error.start]
            raise UserError(
                f"{self.path}: {self.encoding} has no character {character!r}, which a fix inserts; save the file as "
                "UTF-8 and run again"
            ) from None
        return codecs.BOM_UTF8 + data if self.bom else data

    def place(self, offset: int) -> tuple[int | None, Position]:
        """The code cell, from 1, (None outside notebooks) and the position in it of a character of ``text``."""
        cell, first = None, 1
        if self.notebook is not None and self.notebook.cells:
            cell, offset = self.notebook.locate(offset)
            first = bisect_right(self._starts, self.notebook.cells[cell - 1].start)
        row = bisect_right(self._starts, offset)
        return cell, Position(row - first + 1, offset - self._starts[row - 1] + 1)


def load(path: str, data: bytes) -> Source:
    """The source of a file from its bytes; raises Unparsable if they are not the text of a program."""
    text, encoding, bom = _decode(data)
    notebook = None
    if path.endswith(".ipynb"):
        from jaxmpi_lint.sources import notebooks

        notebook = notebooks.read(text)
        text = notebook.text
    else:
        _refuse_null(text)
    ending = _FIRST_NEWLINE.search(text)
    return Source(path, text, encoding, bom, ending[0] if ending else "\n", notebook)


def python2_hint(text: str) -> str | None:
    """A message about the first construct of Python 2 in a text that is not Python 3, or None if there is none."""
    from jaxmpi_lint.sources import lexical_scan

    code = lexical_scan.scan(text).code
    found = [(match.start(), name) for name, pattern in _PYTHON_2 if (match := pattern.search(code))]
    if not found:
        return None
    offset, name = min(found)
    offset += len(code[offset:]) - len(code[offset:].lstrip())
    return f"this is Python 2 ({name} on line {bisect_right(line_starts(text), offset)}); convert it to Python 3"


def _decode(data: bytes) -> tuple[str, str, bool]:
    """Text, encoding and whether there is a byte order mark."""
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            raise Unparsable(f"the file is {name} text; save it as UTF-8")
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    encoding = _encoding(body, bom)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(body, encoding, error.start) from None
    except UnicodeError as error:
        raise Unparsable(f"the file is not {encoding} text ({error}); save it as UTF-8") from None
    if encoding != "utf-8" and text.encode(encoding, "replace") != body:
        raise Unparsable(f"{encoding} text that cannot be written back unchanged; save the file as UTF-8")
    return text, encoding, bom


def _encoding(body: bytes, bom: bool) -> str:
    """The encoding declared in the first two lines, UTF-8 if there is none."""
    lines = _LINE_END.split(body[:4096], 2)[:2]
    for row, line in enumerate(lines, 1):
        match = _DECLARATION.match(line)
        if match is not None:
            encoding = _known_encoding(match[1].decode("ascii", "replace"), row, match.start(1) + 1)
            if bom and encoding != "utf-8":
                message = f"a UTF-8 byte order mark, but {encoding} is declared; remove the declaration"
                raise Unparsable(message, row, match.start(1) + 1)
            return encoding
        if not _BLANK.match(line):
            break
    return "utf-8"


def _known_encoding(declared: str, row: int, column: int) -> str:
    """The codec that a declaration names; Emacs' ``utf-8-unix`` counts as ``utf-8``, as in Python."""
    name = declared.lower().replace("_", "-")
    if name == "utf-8" or name.startswith("utf-8-"):
        return "utf-8"
    if any(name == known or name.startswith(f"{known}-") for known in _LATIN_1):
        return "iso8859-1"
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        raise Unparsable(f"unknown encoding {declared!r}; declare a known one or save as UTF-8", row, column) from None
    is_text = getattr(codec, "_is_text_encoding", True)
    if not is_text or codec.name.replace("_", "-") in _NOT_FOR_FILES:
        raise Unparsable(f"{declared!r} is not an encoding of source files; save the file as UTF-8", row, column)
    return codec.name


def _undecodable(body: bytes, encoding: str, offset: int) -> Unparsable:
    before = _LINE_END.split(body[:offset])
    column = len(before[-1].decode(encoding, "replace")) + 1
    remedy = "save the file as UTF-8"
    if encoding == "utf-8":
        remedy += " or declare its encoding, such as `# -*- coding: latin-1 -*-`, in the first line"
    message = f"byte 0x{body[offset]:02x} is not {encoding} text; {remedy}"
    return Unparsable(message, len(before), column)


def _refuse_null(text: str) -> None:
    offset = text.find("\0")
    if offset >= 0:
        starts = line_starts(text[: offset + 1])
        message = "a null byte, which a Python program cannot contain; remove it or save the file as UTF-8"
        raise Unparsable(message, len(starts), offset - starts[-1] + 1)
