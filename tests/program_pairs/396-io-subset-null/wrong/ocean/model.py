import numpy as np
from mpi4py import MPI

from .layout import Layout


class Column:
    """A row of water columns with vertical mixing."""

    def __init__(self, layout: Layout, ncol: int, nz: int = 12) -> None:
        self.layout = layout
        rng = np.random.default_rng(layout.world.rank)
        self.T = 10.0 + rng.random((ncol, nz)) if layout.is_compute else np.zeros((0, nz))

    def step(self, kappa: float = 0.2) -> None:
        T = self.T
        flux = kappa * np.diff(T, axis=1)
        T[:, :-1] += flux
        T[:, 1:] -= flux

    def mean(self) -> float:
        s = self.layout.compute.allreduce(float(self.T.sum()), op=MPI.SUM)
        n = self.layout.compute.allreduce(self.T.size, op=MPI.SUM)
        return s / n
