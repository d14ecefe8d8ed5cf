from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class BoxConfig:
    nx: int
    ny: int
    nz: int
    steps: int
    diffusivity: float

    @property
    def dt(self):
        return 0.1 / self.diffusivity

    def growth(self):
        """Exact factor of the plane wave for one discrete step."""
        s = (2 - 2 * np.cos(2 * np.pi / self.nx)) + (2 - 2 * np.cos(2 * np.pi / self.ny)) \
            + (2 - 2 * np.cos(2 * np.pi / self.nz))
        return 1.0 - self.diffusivity * self.dt * s
