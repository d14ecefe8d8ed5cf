"""How ``jaxmpi-sanitize status`` gets the state of all ranks from the root's monitor: two files in the job's folder.

The command writes a question with a new name; the monitor answers it under this name when it looks next.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.runtime.findings.report import Line

QUESTION, ANSWER = "question", "answer"
_STEP = 0.05


def ask(folder: Path, seconds: float) -> list[Line] | None:
    """What the monitor shows; None if it does not answer in time."""
    name = secrets.token_hex(8)
    try:
        _write(folder / QUESTION, name)
    except OSError:
        return None
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(OSError, ValueError, TypeError, KeyError):
            answered = json.loads((folder / ANSWER).read_text(encoding="utf-8"))
            if answered["name"] == name:
                return [tuple((str(text), str(style)) for text, style in line) for line in answered["lines"]]
        time.sleep(_STEP)
    return None


def answer(folder: Path, lines: Callable[[], Iterable[Line]]) -> None:
    """Answer the latest question, if there is one; a folder that cannot be written leaves it unanswered."""
    try:
        name = (folder / QUESTION).read_text(encoding="utf-8")
        (folder / QUESTION).unlink()
    except OSError:
        return
    with suppress(OSError):
        _write(folder / ANSWER, json.dumps({"name": name, "lines": list(lines())}))


def _write(path: Path, text: str) -> None:
    new = path.with_suffix(f".{os.getpid()}")
    with open(new, "w", encoding="utf-8", opener=_private) as file:
        file.write(text)
    new.rename(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
