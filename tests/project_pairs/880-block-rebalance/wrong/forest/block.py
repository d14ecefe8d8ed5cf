from dataclasses import dataclass, field

import numpy as np


def block_name(level, number):
    return f"L{level}-{number:04d}"


@dataclass
class Block:
    name: str
    number: int
    level: int
    data: np.ndarray = field(repr=False)

    EDGE = 40

    @classmethod
    def create(cls, number, level):
        name = block_name(level, number)
        rng = np.random.default_rng(number)
        return cls(name, number, level, rng.uniform(size=(cls.EDGE, cls.EDGE)))

    @property
    def work(self):
        """Substeps of the block in one coarse step."""
        return 2 ** self.level


def refined_level(number, total):
    """The front sits in the first third of the curve."""
    distance = abs(number - total / 6.0) / total
    return 3 if distance < 0.08 else 2 if distance < 0.15 else 1 if distance < 0.3 else 0
