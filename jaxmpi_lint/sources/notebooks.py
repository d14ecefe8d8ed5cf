"""Jupyter notebooks: one text of all code cells; edits of that text are written back into their cells only.

The format of notebooks: nbformat 3 and 4. IPython's extensions of Python are in its documentation, "IPython reference":
magics (``%name``, ``%%name``), shell commands (``!ls``) and help (``name?``).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jaxmpi_lint.findings.errors import Unparsable, UserError

_SAVE_AGAIN = "open it in Jupyter and save it again"
_MARKER = re.compile(r"# %{2,}")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BLANKS = " \t\r\n"
_LANGUAGES = frozenset({"python", "python3", "ipython"})


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell. ``start`` and ``end`` bound its part of the analysed text, ``span`` the value in the JSON text."""

    source: str
    start: int
    end: int
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook: the JSON text, the analysed text and the code cells with the line ``marker`` between them."""

    raw: str
    text: str
    cells: tuple[Cell, ...]
    marker: str

    def locate(self, offset: int) -> tuple[int, int]:
        """The cell, from 1, of a character, and the offset in it; a marker counts as the end of its cell."""
        number = max(1, bisect_right(self.cells, offset, key=lambda cell: cell.start))
        return number, min(offset, self.cells[number - 1].end)

    @property
    def first_rows(self) -> tuple[int, ...]:
        """The row of the analysed text at which each cell starts."""
        return first_rows(self.text)

    def replaced(self, path: str, text: str) -> str:
        """The JSON text after an edit of the analysed text; the text of cells without edits is unchanged."""
        if text == self.text:
            return self.raw
        parts = text.split(f"\n{self.marker}\n")
        if len(parts) != len(self.cells):
            raise UserError(f"{path}: a fix would change the number of cells; edit the file manually")
        pieces: list[str] = []
        done = 0
        for cell, part in zip(self.cells, parts, strict=True):
            before = self.text[cell.start : cell.end]
            if part == before:
                continue
            source = _restored(path, cell.source, before, part)
            pieces += [self.raw[done : cell.span[0]], _rewritten(self.raw, cell.span, source)]
            done = cell.span[1]
        return "".join([*pieces, self.raw[done:]])


def read(raw: str) -> Notebook:
    """Read the JSON text of a notebook; a notebook of a language other than Python has no cells."""
    from jaxmpi_lint.sources.magics import blanked

    found = [] if not raw.strip() else _code_cells(raw)
    sources = [source for source, _ in found]
    marker = _marker(sources)
    texts = [blanked(source) for source in sources]
    cells: list[Cell] = []
    start = 0
    for (source, span), text in zip(found, texts, strict=True):
        cells.append(Cell(source, start, start + len(text), span))
        start += len(text) + len(marker) + 2
    return Notebook(raw, f"\n{marker}\n".join(texts), tuple(cells), marker)


def first_rows(text: str) -> tuple[int, ...]:
    """The rows at which the cells start in the analysed text of a notebook: after the longest of the marker lines."""
    rows = _LINE_END.split(text)
    marker = max((row for row in rows if _MARKER.fullmatch(row)), key=len, default=None)
    return (1, *(number + 1 for number, row in enumerate(rows, 1) if row == marker))


def _marker(sources: list[str]) -> str:
    """A comment that occurs in no cell."""
    marker = "# %%"
    while any(marker in source for source in sources):
        marker += "%"
    return marker


# --- the JSON text -------------------------------------------------------------------------------------------------


def _code_cells(raw: str) -> list[tuple[str, tuple[int, int]]]:
    """The source of each code cell and the span of its value."""
    try:
        root = json.loads(raw)
    except json.JSONDecodeError as error:
        raise Unparsable(f"broken notebook: {error.msg}; {_SAVE_AGAIN}", error.lineno, error.colno) from None
    except (RecursionError, ValueError):
        raise Unparsable(f"broken notebook: its JSON is too large or too deeply nested; {_SAVE_AGAIN}") from None
    version = root.get("nbformat") if isinstance(root, dict) else None
    if version not in (3, 4):
        raise Unparsable(f"not a notebook of nbformat 3 or 4; {_SAVE_AGAIN}")
    if not _is_python(root):
        return []
    found: list[tuple[str, tuple[int, int]]] = []
    for start in _cell_offsets(raw, version):
        cell, _ = json.JSONDecoder().raw_decode(raw, start)
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        key = "input" if version == 3 else "source"
        source = _joined(cell.get(key))
        span = dict(_members(raw, start)).get(key)
        if source is None or span is None:
            row, column = raw.count("\n", 0, start) + 1, start - raw.rfind("\n", 0, start)
            raise Unparsable(f"broken notebook: a code cell without source; {_SAVE_AGAIN}", row, column)
        if version == 4 or str(cell.get("language", "python")).lower() in _LANGUAGES:
            found.append((source, span))
    return found


def _is_python(root: dict[str, Any]) -> bool:
    metadata = root.get("metadata")
    for name, key in (("kernelspec", "language"), ("language_info", "name")):
        entry = metadata.get(name) if isinstance(metadata, dict) else None
        language = entry.get(key) if isinstance(entry, dict) else None
        if isinstance(language, str) and language:
            return language.lower() in _LANGUAGES
    return True


def _joined(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return None


def _cell_offsets(raw: str, version: int) -> Iterator[int]:
    """The offset of each cell, in order."""
    holders = [_skip_blanks(raw, 0)]
    if version == 3:
        worksheets = dict(_members(raw, holders[0])).get("worksheets")
        holders = [start for start, _ in _elements(raw, worksheets)] if worksheets else []
    for holder in holders:
        cells = dict(_members(raw, holder)).get("cells") if raw[holder] == "{" else None
        if cells is None:
            raise Unparsable(f"broken notebook: no list of cells; {_SAVE_AGAIN}")
        for start, _ in _elements(raw, cells):
            yield start


def _members(raw: str, start: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """The keys of the object at an offset of valid JSON, each with the span of its value."""
    position = _skip_blanks(raw, start + 1)
    decoder = json.JSONDecoder()
    while raw[position] != "}":
        if raw[position] == ",":
            position = _skip_blanks(raw, position + 1)
        key, position = decoder.raw_decode(raw, position)
        begin = _skip_blanks(raw, _skip_blanks(raw, position) + 1)
        _, end = decoder.raw_decode(raw, begin)
        yield key, (begin, end)
        position = _skip_blanks(raw, end)


def _elements(raw: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The spans of the elements of a list; none for a different value."""
    if raw[span[0]] != "[":
        return
    decoder = json.JSONDecoder()
    position = _skip_blanks(raw, span[0] + 1)
    while raw[position] != "]":
        if raw[position] == ",":
            position = _skip_blanks(raw, position + 1)
        _, end = decoder.raw_decode(raw, position)
        yield position, end
        position = _skip_blanks(raw, end)


def _skip_blanks(raw: str, position: int) -> int:
    while raw[position] in _BLANKS:
        position += 1
    return position


# --- writing back --------------------------------------------------------------------------------------------------


def _restored(path: str, source: str, before: str, after: str) -> str:
    """The edited cell with the magics that were blanked for the analysis."""
    if source == before:
        return after
    from difflib import SequenceMatcher

    original, analysed, edited = _lines(source), _lines(before), _lines(after)
    restored: list[str] = []
    for kind, first, last, begin, end in SequenceMatcher(None, analysed, edited, autojunk=False).get_opcodes():
        if kind == "equal":
            restored += original[first:last]
        elif analysed[first:last] != original[first:last]:
            raise UserError(f"{path}: a fix would change a line with a magic; edit the file manually")
        else:
            restored += edited[begin:end]
    return "".join(restored)


def _lines(text: str) -> list[str]:
    """The lines with their line feeds, as notebooks store them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _rewritten(raw: str, span: tuple[int, int], source: str) -> str:
    """The JSON of a new source in the layout of the old one; unchanged lines keep their spelling."""
    ascii_only = raw.isascii() and "\\u" in raw
    if raw[span[0]] != "[":
        return json.dumps(source, ensure_ascii=ascii_only)
    elements = list(_elements(raw, span))
    spelling = {json.loads(raw[start:end]): raw[start:end] for start, end in elements}
    lines = [spelling.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in _lines(source)]
    if not elements:
        return f"[{', '.join(lines)}]"
    head, tail = raw[span[0] : elements[0][0]], raw[elements[-1][1] : span[1]]
    if len(elements) > 1:
        between = raw[elements[0][1] : elements[1][0]]
    else:
        between = f",{head[1:]}" if len(head) > 1 else ", "
    return f"{head}{between.join(lines)}{tail}"
