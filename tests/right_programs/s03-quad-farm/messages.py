"""What travels between the manager and the workers."""
from enum import IntEnum
from typing import NamedTuple


class Tag(IntEnum):
    TO_MANAGER = 1
    TO_WORKER = 2


class Ready(NamedTuple):
    rank: int


class Job(NamedTuple):
    key: int
    a: float
    b: float
    depth: int = 0

    def halves(self):
        mid = 0.5 * (self.a + self.b)
        return (self._replace(b=mid, depth=self.depth + 1),
                self._replace(a=mid, depth=self.depth + 1))


class Done(NamedTuple):
    job: Job
    value: float


class TooCoarse(NamedTuple):
    job: Job


class Stop(NamedTuple):
    reason: str
