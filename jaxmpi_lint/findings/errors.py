"""Errors of the user, reported in one line; all other exceptions are internal errors."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """``did you mean `select`?`` and a blank, or nothing if no known word is near."""
    from difflib import get_close_matches

    words = list(known)
    near = get_close_matches(word, words, 1, cutoff) or [other for other in words if word and other.startswith(word)]
    return f"did you mean `{near[0]}`? " if near else ""


class UserError(Exception):
    """Problem, place and remedy in one line; the command line prints it and exits with 2."""


class Unparsable(Exception):
    """The bytes are not the text of a Python program; ``row`` and ``column`` start at 1."""

    def __init__(self, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
