"""Errors of the user, reported in one line; all other exceptions are internal errors."""

from __future__ import annotations


class UserError(Exception):
    """Problem, place and remedy in one line; the command line prints it and exits with 2."""


class Unparsable(Exception):
    """The bytes are not the text of a Python program; ``row`` and ``column`` start at 1."""

    def __init__(self, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
