import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("spectral")


class VorticitySolver:
    """2-D decaying turbulence without advection by products: exact viscous decay plus
    one Poisson inversion each step for the stream function."""

    def __init__(self, blocks, transposer, viscosity):
        self.blocks = blocks
        self.transpose = transposer
        self.nu = viscosity
        self.kx, self.ky = self._swapped()
        self.k2 = self.kx ** 2 + self.ky ** 2
        self.w_hat = None

    def _swapped(self):
        a, b = self.blocks.wavenumbers()
        return b, a

    def forward(self, field):
        f = np.fft.fft(field, axis=1)
        return np.fft.fft(self.transpose(f), axis=1)

    def backward(self, spec):
        f = np.fft.ifft(spec, axis=1)
        return np.fft.ifft(self.transpose(f), axis=1).real

    def initialise(self):
        x, y = self.blocks.coordinates()
        w = np.sin(3 * x) * np.cos(2 * y) + 0.5 * np.cos(x + 4 * y)
        self.w_hat = self.forward(w.astype(complex))

    def streamfunction(self):
        safe = np.where(self.k2 == 0.0, 1.0, self.k2)
        return self.backward(np.where(self.k2 == 0.0, 0.0, self.w_hat / safe))

    def step(self, dt):
        self.w_hat = self.w_hat * np.exp(-self.nu * self.k2 * dt)

    def energy(self):
        psi = self.streamfunction()
        w = self.backward(self.w_hat)
        part = 0.5 * float((psi * w).sum()) / self.blocks.n ** 2
        return self.blocks.comm.allreduce(part, op=MPI.SUM)

    def run(self, steps, dt, callback=None):
        for k in range(steps):
            self.step(dt)
            if callback is not None:
                callback(k + 1, self)
