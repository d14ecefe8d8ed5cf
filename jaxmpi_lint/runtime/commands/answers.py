"""The lines that `jaxmpi-sanitize doctor` prints."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """The result of a check."""

    GOOD = "ok"
    ABSENT = "--"
    BAD = "!!"


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the output."""

    state: State
    subject: str
    text: str

    def __str__(self) -> str:
        return f"{self.state.value} {self.subject + ':':<14} {self.text}"
