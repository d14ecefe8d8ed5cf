"""Findings that a process sends to the monitor of its host, which reports them and decides whether the job ends.

A finding and its answer are two files in the folder of the job. Each file is written atomically.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jaxmpi_lint.runtime.findings import callers
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site

GO_ON, RAISE = "go on", "raise"
_LETTER, _ANSWER = ".finding", ".answer"
_STEP = 0.01  # seconds between polls for an answer


class Sender:
    """The endpoint in a process."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._sent = 0

    def send(self, finding: Finding) -> Path:
        """Send a finding to the monitor; the path of its file."""
        self._sent += 1
        letter = self._folder / f"{os.getpid()}-{self._sent}{_LETTER}"
        _write(letter, written(replace(finding, when=time.monotonic())))
        return letter

    def answered(self, letter: Path, seconds: float) -> str | None:
        """Wait for the monitor's answer; None after a timeout."""
        answer, until = letter.with_suffix(_ANSWER), time.monotonic() + seconds
        while not answer.exists():
            if time.monotonic() >= until:
                return None
            time.sleep(_STEP)
        return answer.read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Letter:
    """A finding that has arrived."""

    place: Path
    finding: Finding

    def answer(self, text: str = GO_ON) -> None:
        """Let the process continue, or raise an exception."""
        _write(self.place.with_suffix(_ANSWER), text)


class Receiver:
    """The endpoint in the monitor."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._seen: set[str] = set()

    def letters(self) -> Iterator[Letter]:
        """The findings since the last poll, the oldest first."""
        new = [place for place in self._folder.glob(f"*{_LETTER}") if place.name not in self._seen]
        for place in sorted(new, key=_age):
            self._seen.add(place.name)
            yield Letter(place, read(place.read_text(encoding="utf-8")))


def written(finding: Finding) -> str:
    """A finding as text; ValueError for one that only the monitor can create."""
    if (
        finding.steps
        or finding.past is not None
        or any(side.site and callers.frames(side.site)[1:] for side in finding.sides)
    ):
        raise ValueError(f"a process cannot report {finding.code} with steps, histories or callers")
    return json.dumps(asdict(finding))


def read(text: str) -> Finding:
    """Parse the text of `written`."""
    known: dict[str, Any] = json.loads(text)
    known |= {name: tuple(known[name]) for name in ("ranks", "notes", "steps")}
    known["sides"] = tuple(_side(side) for side in known["sides"])
    return Finding(**known)


def _age(letter: Path) -> tuple[int, int]:
    """The order of letters: by time, then by number."""
    return letter.stat().st_mtime_ns, int(letter.stem.rpartition("-")[2])


def _side(known: dict[str, Any]) -> Side:
    site = known["site"] and Site(**(known["site"] | {"callers": ()}))
    return Side(**(known | {"ranks": tuple(known["ranks"]), "site": site}))


def _write(place: Path, text: str) -> None:
    scratch = place.with_name(f".{place.name}")
    with open(scratch, "w", encoding="utf-8", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
        file.write(text)
    scratch.replace(place)
