from dataclasses import dataclass

import numpy as np

from migrate import PARTICLE, Way


@dataclass(frozen=True)
class Box:
    length: float
    slabs: int

    @property
    def width(self):
        return self.length / self.slabs

    def slab(self, x):
        return np.minimum((x / self.width).astype(int), self.slabs - 1)

    def way(self, here, x):
        """One slab per step at most; with two slabs both neighbours are the same."""
        match (int(self.slab(np.array(x))) - here) % self.slabs:
            case 0:
                return Way.STAY
            case 1:
                return Way.UP
            case d if d == self.slabs - 1:
                return Way.DOWN
            case d:
                raise ArithmeticError(f"a particle jumped over {d} slabs")


def bunch(n, box, seed):
    """Most particles start in a narrow bunch, so slabs are filled unevenly."""
    rng = np.random.default_rng(seed)
    out = np.zeros(n, PARTICLE)
    out["id"] = np.arange(n)
    out["x"] = (rng.normal(0.3, 0.05, n) * box.length) % box.length
    out["v"] = rng.choice([-1.0, 1.0], n) * rng.uniform(0.5, 1.0, n)
    return out


def drift(particles, dt, box):
    particles["x"] = (particles["x"] + dt * particles["v"]) % box.length
