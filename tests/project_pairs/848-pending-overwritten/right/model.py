"""A slab of a periodic medium that diffuses heat along the ring."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from exchange import Exchanger


@dataclass(frozen=True)
class ModelConfig:
    planes: int = 6
    width: int = 2000
    steps: int = 5
    spinup: int = 4000


class SlabModel:
    def __init__(self, comm: MPI.Intracomm, config: ModelConfig) -> None:
        self.comm = comm
        self.config = config
        self.exchanger = Exchanger(comm)
        self.heat = np.zeros((config.planes + 2, config.width))
        self.interior[:] = comm.rank + 1.0

    @property
    def interior(self) -> np.ndarray:
        return self.heat[1:-1]

    def spin_up(self) -> float:
        """Relax the local chemistry; hotter slabs need more sweeps."""
        state = np.linspace(0.0, 1.0, self.config.width)
        for _ in range(self.config.spinup * self.comm.rank):
            state += 0.01 * np.sin(state)
        return float(state.mean())

    def step(self) -> None:
        v = self.heat
        new = np.empty_like(self.interior)
        with self.exchanger.overlapping(v):
            new[1:-1] = (v[1:-3] + v[2:-2] + v[3:-1]) / 3.0
        new[0] = (v[0] + v[1] + v[2]) / 3.0
        new[-1] = (v[-3] + v[-2] + v[-1]) / 3.0
        self.interior[:] = new

    def run(self) -> None:
        self.spin_up()
        for _ in range(self.config.steps):
            self.step()

    def mean(self) -> float:
        total = self.comm.allreduce(float(self.interior.sum()), op=MPI.SUM)
        return total / (self.interior.size * self.comm.size)
