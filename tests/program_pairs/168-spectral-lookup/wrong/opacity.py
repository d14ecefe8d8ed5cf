"""Absorption table that the ranks of one node share."""
import numpy as np
from mpi4py import MPI


class OpacityTable:
    def __init__(self, comm, temperatures=120, wavelengths=4000):
        self.node = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.temperature = np.linspace(500.0, 6000.0, temperatures)
        self.wavelength = np.linspace(0.4, 20.0, wavelengths)
        shape = (temperatures, wavelengths)
        item = MPI.DOUBLE.Get_size()
        nbytes = shape[0] * shape[1] * item if self.node.rank == 0 else 0
        self.win = MPI.Win.Allocate_shared(nbytes, item, comm=self.node)
        memory, _ = self.win.Shared_query(0)
        self.table = np.ndarray(shape, dtype=float, buffer=memory)
        self.win.Fence()
        if self.node.rank == 0:
            self._fill()

    def _fill(self):
        rng = np.random.default_rng(8)
        centres = rng.uniform(0.4, 20.0, 60)
        strength = rng.gamma(1.5, 1.0, 60)
        for i, t in enumerate(self.temperature):
            width = 0.02 * np.sqrt(t / 1000.0)
            line = strength * np.exp(-300.0 * centres / t)
            d = (self.wavelength[:, None] - centres) / width
            self.table[i] = (line / (1.0 + d * d)).sum(axis=1)

    def row(self, t):
        """Opacity at temperature t, linear between the rows."""
        i = int(np.clip(np.searchsorted(self.temperature, t) - 1, 0, len(self.temperature) - 2))
        w = (t - self.temperature[i]) / (self.temperature[i + 1] - self.temperature[i])
        return (1 - w) * self.table[i] + w * self.table[i + 1]

    def close(self):
        self.table = None
        self.win.Free()
        self.node.Free()
