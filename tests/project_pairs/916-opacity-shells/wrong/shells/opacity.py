"""Tabulated opacities with a cache on disk."""
import logging

import numpy as np

log = logging.getLogger("shells")


def voigt_like(x, width):
    return np.exp(-x ** 2) + width / (np.pi * (x ** 2 + 1.0))


def compute_table(temperatures, densities, lines=4000):
    """Line-by-line opacity, averaged over frequency."""
    rng = np.random.default_rng(1)
    centre = rng.uniform(0.0, 50.0, lines)
    strength = rng.exponential(1.0, lines)
    nu = np.linspace(0.0, 50.0, 100)
    table = np.empty((temperatures.size, densities.size))
    for i, t in enumerate(temperatures):
        excitation = strength * np.exp(-centre / (10.0 * t))
        for j, rho in enumerate(densities):
            profile = voigt_like((nu[:, None] - centre) / np.sqrt(t), rho)
            table[i, j] = (profile @ excitation).mean() / lines
    return table


class TableStore:
    """Keeps the opacity table in the directory of the run."""

    def __init__(self, comm, directory):
        self.comm = comm
        self.path = directory / "opacity.npz"

    def prepare(self, temperatures, densities):
        if self.comm.rank == 0 and not self.path.exists():
            log.info("computing %d x %d opacities", temperatures.size, densities.size)
            np.savez(self.path, t=temperatures, rho=densities,
                     kappa=compute_table(temperatures, densities))
        return self

    def load(self):
        with np.load(self.path) as data:
            return Opacity(data["t"], data["rho"], data["kappa"])


class Opacity:
    def __init__(self, t, rho, kappa):
        self.t, self.rho, self.kappa = t, rho, kappa

    def __call__(self, t, rho):
        """Bilinear interpolation."""
        i = np.clip(np.searchsorted(self.t, t) - 1, 0, self.t.size - 2)
        j = np.clip(np.searchsorted(self.rho, rho) - 1, 0, self.rho.size - 2)
        a = (t - self.t[i]) / (self.t[i + 1] - self.t[i])
        b = (rho - self.rho[j]) / (self.rho[j + 1] - self.rho[j])
        k = self.kappa
        return ((1 - a) * ((1 - b) * k[i, j] + b * k[i, j + 1])
                + a * ((1 - b) * k[i + 1, j] + b * k[i + 1, j + 1]))
