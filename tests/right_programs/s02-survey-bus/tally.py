"""Answers of the questionnaire and their merged counts."""
from collections import Counter
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

REGIONS = ("north", "south", "east", "west", "islands")
ANSWERS = ("yes", "no", "unsure")


class Record(NamedTuple):
    number: int
    region: str
    answer: str
    weight: float

    @classmethod
    def draw(cls, number):
        rng = np.random.default_rng(7000 + number)
        return cls(number, REGIONS[rng.integers(5) if number % 9 else 4],
                   ANSWERS[rng.integers(3)], float(rng.integers(1, 9)) / 4)


class Tally(Counter):
    """Counter that can be merged over a communicator."""

    @classmethod
    def of(cls, records):
        tally = cls()
        for record in records:
            tally[record.answer] += 1
        return tally

    def merged(self, comm):
        return type(self)(reduce(add, comm.allgather(self), Counter()))

    @property
    def favourite(self):
        return min(self, key=lambda k: (-self[k], k)) if self else None
