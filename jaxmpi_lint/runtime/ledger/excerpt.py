"""Source lines in reports; none of a file that cannot be read."""

from __future__ import annotations

import tokenize
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jaxmpi_lint.runtime.ledger.snapshot import Site

_LARGEST = 4_000_000
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Quoted:
    """One line of source."""

    number: int
    text: str
    here: bool


def lines(site: Site | None, before: int = 1) -> tuple[Quoted, ...]:
    """The line of a call site and up to ``before`` non-blank lines above it."""
    if site is None or site.line < 1:
        return ()
    whole = source(site.file)
    if site.line > len(whole):
        return ()
    first = site.line
    while first > max(1, site.line - before) and whole[first - 2].strip():
        first -= 1
    chosen = whole[first - 1 : site.line]
    indent = min((len(text) - len(text.lstrip()) for text in chosen if text.strip()), default=0)
    return tuple(
        Quoted(number, text[indent:][:_LONGEST].rstrip(), number == site.line)
        for number, text in enumerate(chosen, first)
    )


@lru_cache(maxsize=64)
def source(name: str) -> tuple[str, ...]:
    """The lines of a file."""
    path = Path(name)
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return ()
        with tokenize.open(name) as file:
            return tuple(file.read().expandtabs(4).splitlines())
    except (OSError, SyntaxError, UnicodeDecodeError, ValueError):
        return ()


def line(site: Site, folder: bool = True) -> str:
    """``train.py:41``; ``solver(step+0x1f)`` for compiled code without debug information."""
    file = short(site.file) if folder else name(site.file)
    return f"{file}:{site.line}" if site.line else f"{file}({site.function})"


def place(site: Site | None) -> str:
    """``train.py:41 in step``, with the operand of an mpi4jax operation."""
    if site is None:
        return ""
    text = line(site)
    if site.line and site.function and site.function != "<module>":
        text += f" in {site.function}"
    if site.operand:
        text += f", on {site.operand}"
    return text


def name(file: str) -> str:
    """The name of a file without its folder."""
    return file.rpartition("/")[2]


def short(name: str) -> str:
    """A file relative to the working directory, if it lies below it."""
    try:
        return Path(name).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return name
