from dataclasses import dataclass
from enum import IntEnum


class Tag(IntEnum):
    HEADER = 1
    TRAJECTORY = 2
    WEIGHTS = 3


@dataclass
class Header:
    actor: int
    version: int
    length: int


STOP = -1
