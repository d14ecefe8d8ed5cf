"""The width of the terminal that a report is read on."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def columns(stream: TextIO | None = None) -> int | None:
    """The columns of a terminal, by default that of standard error; COLUMNS overrides it. None: it is no terminal."""
    text = os.environ.get("COLUMNS", "")
    if text.isdigit() and int(text):
        return int(text)
    try:
        return os.get_terminal_size((stream or sys.stderr).fileno()).columns or None
    except (AttributeError, OSError, ValueError):  # no terminal, or replaced by a stream without a descriptor
        return None
