"""Random streams of a replica-exchange run."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Streams:
    """`common` is the same on every rank, `own` differs."""
    common: np.random.Generator
    own: np.random.Generator

    @classmethod
    def spawn(cls, seed, rank, size):
        children = np.random.SeedSequence(seed).spawn(size + 1)
        return cls(np.random.default_rng(children[0]),
                   np.random.default_rng(children[1 + rank]))
