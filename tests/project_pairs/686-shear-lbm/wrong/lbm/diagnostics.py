import logging

import numpy as np

log = logging.getLogger("lbm")


class Monitor:
    def __init__(self, layout, params):
        self.layout = layout
        self.params = params
        self.initial = None

    def energy(self, lattice):
        rho, ux, uy = lattice.macroscopic()
        return self.layout.sum(0.5 * float((rho * (ux ** 2 + uy ** 2)).sum()))

    def mass(self, lattice):
        return self.layout.sum(float(lattice.f[:, :, 1:-1].sum()))

    def start(self, lattice):
        self.initial = self.energy(lattice)

    def report(self, step, lattice):
        e, m = self.energy(lattice), self.mass(lattice)
        log.info("step %4d  energy %.8f  mass %.6f", step, e, m)

    def decay_error(self, step, lattice):
        p = self.params
        kx, ky = 2 * np.pi / p.nx, 2 * np.pi / p.ny
        decay = 0.5 * (np.exp(-2 * p.viscosity * kx ** 2 * step)
                       + np.exp(-2 * p.viscosity * ky ** 2 * step))
        expected = self.initial * decay
        return abs(self.energy(lattice) - expected) / expected
