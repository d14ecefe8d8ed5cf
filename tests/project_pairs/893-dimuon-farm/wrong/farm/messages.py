from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class Tag(IntEnum):
    JOB = 11
    RESULT = 12
    STOP = 13


@dataclass
class Job:
    number: int
    events: int
    seed: tuple


@dataclass
class Result:
    number: int
    accepted: int
    counts: np.ndarray
