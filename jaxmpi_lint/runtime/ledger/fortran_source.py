"""Statements of Fortran that are continued on further lines: compilers give the last line for a call in them.

Fixed form continues a statement by a character in column 6, free form by ``&`` at the end of a line (Fortran 2018,
6.3.2.4 and 6.3.3.4).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_FIXED = (".f", ".for", ".ftn", ".fpp")
_FREE = (".f90", ".f95", ".f03", ".f08", ".f18", ".f23")
_TEXT = re.compile(r"""'[^']*'|"[^"]*\"""")
_FIXED_COMMENT = "cC*dD!"


def is_fortran(file: str) -> bool:
    """Whether the name of a source file is one of Fortran's."""
    return file.lower().endswith((*_FIXED, *_FREE))


def first_line(file: str, line: int) -> int:
    """The line on which the statement begins that ``line`` belongs to; ``line`` itself if the file cannot be read."""
    lines = _lines(file)
    if not 0 < line <= len(lines):
        return line
    is_fixed = file.lower().endswith(_FIXED) and all(map(_may_be_fixed, lines))
    continues = _continues_fixed if is_fixed else _continues_free
    at = line
    while (before := _statement_before(lines, at, is_fixed)) and continues(lines, before, at):
        at = before
    return at


@lru_cache(8)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:
        return ()


def _may_be_fixed(text: str) -> bool:
    """Whether a line may be in fixed form; compilers take free form in any file if asked for it."""
    label = text[:5].partition("\t")[0]
    return text[:1] in (*_FIXED_COMMENT, "#") or not label.strip(" 0123456789") or label.lstrip().startswith("!")


def _statement_before(lines: tuple[str, ...], line: int, is_fixed: bool) -> int:
    """The nearest line before this one that is neither blank nor a comment; 0: none."""
    for number in range(line - 1, 0, -1):
        text = lines[number - 1]
        if text.strip() and not text.lstrip().startswith("!") and not (is_fixed and text[0] in _FIXED_COMMENT):
            return number
    return 0


def _continues_fixed(lines: tuple[str, ...], _before: int, line: int) -> bool:
    text = lines[line - 1]
    return len(text) > 5 and not text[:5].strip() and "\t" not in text[:6] and text[5] not in " 0"


def _continues_free(lines: tuple[str, ...], before: int, _line: int) -> bool:
    return _TEXT.sub("", lines[before - 1]).partition("!")[0].rstrip().endswith("&")
