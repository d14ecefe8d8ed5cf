from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any


class Tag(IntEnum):
    TASK = 1
    RESULT = 2
    STOP = 3


@dataclass
class Task:
    key: str
    payload: Any
    attempts: int = 0


@dataclass
class Outcome:
    key: str
    value: Any = None
    error: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def ok(self):
        return not self.error
