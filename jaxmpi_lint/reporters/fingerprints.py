"""Identity of a finding independent of its position: stable when lines move or blocks are indented."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.sources import lexical_scan

_LINE_NUMBER = re.compile(r"(?<=:)\d+(?::\d+)?\b|\b(lines?|rows?|columns?|cells?) \d+(?:(?:, | and | to |-)\d+)*")


def fingerprint(diagnostic: Diagnostic, text: str) -> str:
    """A digest of the code, the file and the statement without its layout; rewording the message does not change it.

    ``text`` is the analysed text of the file. Equal findings have equal fingerprints.
    """
    return _digest(diagnostic.code, filename(diagnostic), statement(diagnostic, text))


def with_message(code: str, file: str, message: str, source: str) -> str:
    """The fingerprint of an entry of a baseline: ``message`` is that of the release that wrote it."""
    return _digest(code, file, _LINE_NUMBER.sub(r"\1", message), source)


def filename(diagnostic: Diagnostic) -> str:
    """The name of the file, the same on all systems."""
    return diagnostic.filename.replace("\\", "/")


def statement(diagnostic: Diagnostic, text: str) -> str:
    """The text of the statement without comments, and with one blank for any white space."""
    first, last = diagnostic.rows or (diagnostic.start.row, diagnostic.end.row)
    starts, cells = _layout(text, diagnostic.cell is not None)
    shift = cells[diagnostic.cell - 1] - 1 if diagnostic.cell is not None and diagnostic.cell <= len(cells) else 0
    if first + shift > len(starts):
        return ""
    end = starts[last + shift] if last + shift < len(starts) else len(text)
    part = text[starts[first + shift - 1] : end]
    pieces: list[str] = []
    done = 0
    for begin, stop in lexical_scan.scan(part).comments:
        pieces.append(part[done:begin])
        done = stop
    return " ".join("".join([*pieces, part[done:]]).split())


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@lru_cache(maxsize=8)
def _layout(text: str, notebook: bool) -> tuple[list[int], tuple[int, ...]]:
    """The offsets of the rows, and the rows at which the cells of a notebook start."""
    from jaxmpi_lint.sources.notebooks import first_rows

    return lexical_scan.row_starts(text), first_rows(text) if notebook else (1,)
