from dataclasses import dataclass

import numpy as np


@dataclass
class Bodies:
    """Bodies of one rank; pos and vel are (n, 3), mass (n,)."""
    mass: np.ndarray
    pos: np.ndarray
    vel: np.ndarray

    @classmethod
    def plummer(cls, count, total, seed, rank):
        rng = np.random.default_rng([seed, rank])
        radius = 1 / np.sqrt(rng.uniform(0.05, 0.95, count) ** (-2 / 3) - 1)
        way = rng.standard_normal((count, 3))
        way /= np.linalg.norm(way, axis=1)[:, None]
        vel = 0.2 * rng.standard_normal((count, 3))
        return cls(np.full(count, 1 / total), radius[:, None] * way, vel)

    def packed(self):
        return np.column_stack([self.pos, self.mass])

    def kinetic(self):
        return 0.5 * float(np.sum(self.mass * np.sum(self.vel ** 2, axis=1)))

    def momentum(self):
        return self.mass @ self.vel
