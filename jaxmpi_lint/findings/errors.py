"""Mistakes of the user, told in one line; everything else is a bug of ours."""

from __future__ import annotations


class UserError(Exception):
    """What is wrong, where, and what to do, in one line; the command line prints it and exits with 2."""
