from dataclasses import dataclass
from zlib import crc32

import numpy as np


@dataclass(frozen=True)
class SeedPlan:
    """Derives named random streams from one experiment seed."""

    seed: int
    rank: int

    def shared(self, name: str) -> np.random.Generator:
        """Same numbers on every rank."""
        return np.random.default_rng([self.seed, crc32(name.encode())])

    def per_rank(self, name: str) -> np.random.Generator:
        """Independent numbers on every rank."""
        return np.random.default_rng([self.seed, crc32(name.encode()), 1 + self.rank])
