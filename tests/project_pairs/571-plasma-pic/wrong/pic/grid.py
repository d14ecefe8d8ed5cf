"""Periodic 1D field grid shared by all ranks."""
import numpy as np
from mpi4py import MPI


class Grid:
    def __init__(self, cells, length):
        self.cells = cells
        self.length = length
        self.dx = length / cells
        k = 2 * np.pi * np.fft.rfftfreq(cells, d=self.dx)
        k[0] = 1.0
        self._k = k
        self.rho = np.zeros(cells)
        self.efield = np.zeros(cells)

    def deposit(self, comm, x, weight):
        local = np.zeros(self.cells)
        pos = x / self.dx
        left = np.floor(pos).astype(int)
        frac = pos - left
        np.add.at(local, left % self.cells, weight * (1 - frac))
        np.add.at(local, (left + 1) % self.cells, weight * frac)
        comm.Allreduce(local, self.rho, op=MPI.SUM)
        self.rho = 1.0 - self.rho / self.dx

    def solve(self):
        rho_k = np.fft.rfft(self.rho)
        rho_k[0] = 0.0
        self.efield = np.fft.irfft(-1j * rho_k / self._k, n=self.cells)

    def gather_field(self, x):
        pos = x / self.dx
        left = np.floor(pos).astype(int)
        frac = pos - left
        return (self.efield[left % self.cells] * (1 - frac)
                + self.efield[(left + 1) % self.cells] * frac)

    def energy(self):
        return 0.5 * float(np.sum(self.efield ** 2)) * self.dx
