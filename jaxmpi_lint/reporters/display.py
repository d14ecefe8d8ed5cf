"""Source text on a screen: its width, escapes for unprintable characters, and cropping of long lines."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

TAB = 4
ELLIPSIS = "..."
_FORBIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_QUOTED = re.compile(r"`[^`]*`")
_JOINT = "\0"
_ZERO_WIDTH = frozenset({"Mn", "Me", "Cf"})


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line of source for display; ``start`` and ``end`` mark the part that a finding refers to."""

    text: str
    start: int
    end: int

    @property
    def width(self) -> int:
        """Columns it takes on a screen."""
        return width(self.text)


def clean(text: str) -> str:
    """One printable line: line breaks become spaces; terminal control and bidirectional characters become escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_printable(character) for character in " ".join(text.splitlines()))


def width(text: str) -> int:
    """Columns on a screen: two for a wide character, none for a combining one."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def excerpt(line: str, start: int, end: int, limit: int) -> Excerpt:
    """A line of source in at most ``limit`` columns, cropped around the characters ``start`` to ``end`` (from 0)."""
    start, end = min(start, len(line)), min(end, len(line))
    first = max(0, start - limit)
    pieces = _pieces(line[first : start + 2 * limit])
    before, inside = "".join(pieces[: start - first]), "".join(pieces[start - first : end - first])
    shown = Excerpt("".join(pieces).rstrip(), len(before), len(before) + len(inside))
    cut_after = first + len(pieces) < len(line)
    if first or cut_after or shown.width > limit:
        return _cropped(shown, limit, bool(first), cut_after)
    return shown


def wrap(text: str, limit: int, used: int = 0) -> list[str]:
    """The words of a text in lines of at most ``limit`` columns, of which ``used`` are taken in the first.

    Text quoted in backticks stays together, and text longer than a line has a separate line.
    """
    lines = [""]
    for word in _QUOTED.sub(lambda quoted: quoted[0].replace(" ", _JOINT), text).split(" "):
        room = limit - (used if len(lines) == 1 else 0)
        if not lines[-1]:
            lines[-1] = word
        elif width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return [line.replace(_JOINT, " ") for line in lines]


def _pieces(line: str) -> list[str]:
    """The printed form of each character of a line; a tab becomes the spaces up to its stop."""
    pieces: list[str] = []
    column = 0
    for character in line:
        piece = " " * (TAB - column % TAB) if character == "\t" else _printable(character)
        column += width(piece)
        pieces.append(piece)
    return pieces


def _cropped(shown: Excerpt, limit: int, cut_before: bool, cut_after: bool) -> Excerpt:
    """The part around the mark, with a third of the space before it; ``...`` replaces omitted text."""
    text = shown.text
    room = limit - len(ELLIPSIS)
    crowded = cut_before or width(text[: shown.end]) > room
    first = max(0, shown.start - room // 3) if crowded else 0
    head = ELLIPSIS if first or cut_before else ""
    last, used = first, len(head)
    while last < len(text) and used + _columns(text[last]) <= limit:
        used += _columns(text[last])
        last += 1
    tail = ""
    if last < len(text) or cut_after:
        while last > first and used > room:
            last -= 1
            used -= _columns(text[last])
        tail = ELLIPSIS
    shift, stop = len(head) - first, len(head) + last - first
    return Excerpt(head + text[first:last] + tail, min(shown.start + shift, stop), min(shown.end + shift, stop))


def _printable(character: str) -> str:
    if character.isprintable() and character not in _BIDIRECTIONAL:
        return character
    if character not in _BIDIRECTIONAL and unicodedata.category(character) not in _FORBIDDEN:
        return " " if character.isspace() else character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _columns(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
