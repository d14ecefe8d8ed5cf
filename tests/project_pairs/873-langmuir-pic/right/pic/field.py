import numpy as np

from .guards import FillGuards, FoldGuards


class FieldSolver:
    """Spectral Poisson solve on the gathered charge density."""

    def __init__(self, grid):
        self.grid = grid
        self.fill = FillGuards(grid)
        self.fold = FoldGuards(grid)
        k = 2.0 * np.pi * np.fft.rfftfreq(grid.ncells, d=grid.dx)
        self.factor = np.zeros_like(k, dtype=complex)
        self.factor[1:] = -1j / k[1:]

    def __call__(self, species):
        grid = self.grid
        rho = grid.zeros()
        species.deposit(rho)
        self.fold(rho)
        rho[1:-1] += 1.0
        everywhere = np.empty(grid.ncells)
        grid.comm.Allgather(rho[1:-1].copy(), everywhere)
        e = np.fft.irfft(self.factor * np.fft.rfft(everywhere), n=grid.ncells)
        field = grid.zeros()
        field[1:-1] = e[grid.first:grid.first + grid.nlocal]
        self.fill(field)
        return field

    def energy(self, field):
        return 0.5 * self.grid.dx * float(field[1:-1] @ field[1:-1])
