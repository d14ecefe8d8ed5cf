"""The patterns of ``.gitignore`` and of our own ``exclude``, with git's meaning (gitignore(5))."""

from __future__ import annotations

import re
from collections.abc import Sequence


class Patterns:
    """The patterns of one file, for paths relative to its folder (POSIX separators, no leading slash)."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._entries: list[tuple[bool, bool, str]] = []  # negated, folders only, regular expression
        for line in lines:
            entry = _entry(line)
            if entry is not None:
                self._entries.append(entry)
        self._compiled: list[re.Pattern[str]] = []
        self._any = re.compile("|".join(f"(?:{source})" for *_, source in self._entries) or r"(?!)")

    def __bool__(self) -> bool:
        return bool(self._entries)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True for ignored, False for included again by ``!``, None if no pattern matches the path."""
        if self._any.fullmatch(path) is None:
            return None
        if not self._compiled:
            self._compiled = [re.compile(source) for *_, source in self._entries]
        for (negated, folders_only, _), pattern in zip(reversed(self._entries), reversed(self._compiled), strict=True):
            if (is_folder or not folders_only) and pattern.fullmatch(path):
                return not negated
        return None


def parse(text: str) -> Patterns:
    """The patterns of a file's text."""
    return Patterns(text.removeprefix("\ufeff").splitlines())


def _entry(line: str) -> tuple[bool, bool, str] | None:
    line = _without_trailing_spaces(line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    if negated or line.startswith(("\\!", "\\#")):
        line = line[1:]
    folders_only = line.endswith("/")
    line = line.rstrip("/") if folders_only else line
    if not line:
        return None
    anchored = "/" in line
    source = _translate(line.lstrip("/"))
    return negated, folders_only, source if anchored else f"(?:.*/)?{source}"


def _without_trailing_spaces(line: str) -> str:
    stripped = line.rstrip(" \t")
    escaped = stripped.endswith("\\") and len(line) > len(stripped)
    return stripped + " " if escaped else stripped


def _translate(pattern: str) -> str:
    """A regular expression for one glob; ``**`` crosses folders, ``*`` and ``?`` do not."""
    out: list[str] = []
    index = 0
    while index < len(pattern):
        if pattern.startswith("**/", index) and (index == 0 or pattern[index - 1] == "/"):
            out.append("(?:.*/)?")
            index += 3
        elif pattern.startswith("/**", index) and index + 3 == len(pattern):
            out.append("/.+")
            index += 3
        elif pattern[index] == "*":
            while index < len(pattern) and pattern[index] == "*":
                index += 1
            out.append("[^/]*")
        elif pattern[index] == "?":
            out.append("[^/]")
            index += 1
        elif pattern[index] == "[":
            piece, index = _bracket(pattern, index)
            out.append(piece)
        else:
            index += pattern[index] == "\\" and index + 1 < len(pattern)
            out.append(re.escape(pattern[index]))
            index += 1
    return "".join(out)


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """A bracket expression and the index after it; an unclosed one is literal."""
    index = start + 1
    negated = pattern[index : index + 1] in ("!", "^")
    index += negated
    first = index
    while index < len(pattern) and (pattern[index] != "]" or index == first):
        index += 2 if pattern[index] == "\\" else 1
    if index >= len(pattern):
        return r"\[", start + 1
    body = re.sub(r"([\[&~|^])", r"\\\1", pattern[first:index])
    if body.startswith("]"):
        body = "\\" + body
    source = f"(?!/)[{'^' if negated else ''}{body}]"
    try:
        re.compile(source)
    except re.error:
        return r"(?!)", index + 1
    return source, index + 1
