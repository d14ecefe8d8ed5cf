"""How ``jaxmpi-sanitize status`` gets the state of all ranks from the root's monitor: two files in the job's folder.

The command adds a line with a new name to the questions; the monitor answers all of them when it looks next. An answer
also has the names of some earlier ones, so that a command which reads it late finds its own.
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
_AGAIN = 1.0  # seconds after which a question is asked again that the monitor has taken, and not read
_KEPT = 64  # names of earlier questions


def ask(folder: Path, seconds: float) -> list[Line] | None:
    """What the monitor shows; None if it does not answer in time."""
    name = secrets.token_hex(8)
    until, asked = time.monotonic() + seconds, float("-inf")
    while (now := time.monotonic()) < until:
        if now - asked > _AGAIN:
            asked = now
            if not _asked(folder / QUESTION, name):
                return None
        with suppress(OSError, ValueError, TypeError, KeyError):
            answered = json.loads((folder / ANSWER).read_text(encoding="utf-8"))
            if name in answered["names"]:
                return [tuple((str(text), str(style)) for text, style in line) for line in answered["lines"]]
        time.sleep(_STEP)
    return None


def _asked(path: Path, name: str) -> bool:
    """Ask, unless the question is there; whether that was possible."""
    try:
        with open(path, "a+", encoding="utf-8", opener=_private) as file:
            file.seek(0)
            if name not in file.read().split():
                file.write(f"{name}\n")
    except (OSError, ValueError):
        return False
    return True


def answer(folder: Path, lines: Callable[[], Iterable[Line]]) -> None:
    """Answer all questions, if there are any; a folder that cannot be written leaves them unanswered."""
    taken = folder / f"{QUESTION}.{os.getpid()}"
    try:
        (folder / QUESTION).rename(taken)
        names = taken.read_text(encoding="utf-8").split()
        taken.unlink()
    except (OSError, ValueError):
        return
    with suppress(OSError, ValueError, TypeError, KeyError):
        names = [*json.loads((folder / ANSWER).read_text(encoding="utf-8"))["names"], *names]
    with suppress(OSError):
        _write(folder / ANSWER, json.dumps({"names": names[-_KEPT:], "lines": list(lines())}))


def _write(path: Path, text: str) -> None:
    new = path.with_suffix(f".{os.getpid()}")
    with open(new, "w", encoding="utf-8", opener=_private) as file:
        file.write(text)
    new.rename(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
