"""Equation of state as a table that the processes of a node share in memory."""
import numpy as np
from mpi4py import MPI


class SharedTable:
    def __init__(self, comm, n_rho, n_energy):
        self.node = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.shape = (n_rho, n_energy)
        self.rho = np.linspace(0.1, 10.0, n_rho)
        self.energy = np.linspace(0.5, 20.0, n_energy)
        nbytes = 8 * n_rho * n_energy
        self.window = MPI.Win.Allocate_shared(nbytes, 8, comm=self.node)
        memory = self.window.tomemory()
        self.pressure = np.ndarray(self.shape, dtype=float, buffer=memory)
        self.window.Fence()
        if self.node.rank == 0:
            self.compute()
        self.window.Fence()

    def compute(self):
        rho, e = np.meshgrid(self.rho, self.energy, indexing="ij")
        self.pressure[:] = 0.4 * rho * e * (1 + 0.05 * rho) - 0.02 * rho ** 2

    def lookup(self, rho, e):
        """Bilinear interpolation."""
        i = np.clip(np.searchsorted(self.rho, rho) - 1, 0, self.shape[0] - 2)
        j = np.clip(np.searchsorted(self.energy, e) - 1, 0, self.shape[1] - 2)
        s = (rho - self.rho[i]) / (self.rho[i + 1] - self.rho[i])
        t = (e - self.energy[j]) / (self.energy[j + 1] - self.energy[j])
        p = self.pressure
        return ((1 - s) * (1 - t) * p[i, j] + s * (1 - t) * p[i + 1, j]
                + (1 - s) * t * p[i, j + 1] + s * t * p[i + 1, j + 1])

    def free(self):
        self.window.Free()
        self.node.Free()
