"""BGK collision, streaming and bounce back on the walls."""
import numpy as np

from .lattice import C, NORTH, OPPOSITE, SOUTH, W, equilibrium, moments


class Channel:
    def __init__(self, strip, tau, force):
        self.strip = strip
        self.omega = 1.0 / tau
        self.force = force
        self.f = strip.allocate()
        x = strip.first + np.arange(strip.nx)
        rho = 1.0 + 0.02 * np.sin(2 * np.pi * x / 36)[:, None] * np.ones(strip.ny)
        self.f[:, 1:-1] = equilibrium(rho, 0.0 * rho, 0.0 * rho)

    @property
    def interior(self):
        return self.f[:, 1:-1]

    def collide(self):
        rho, ux, uy = moments(self.interior)
        feq = equilibrium(rho, ux, uy)
        push = 3.0 * self.force * (W * C[:, 0])[:, None, None] * rho
        self.interior[...] += self.omega * (feq - self.interior) + push

    def stream(self):
        self.strip.exchange(self.f)
        low = self.f[SOUTH][:, 1:-1, 0].copy()
        high = self.f[NORTH][:, 1:-1, -1].copy()
        new = np.empty_like(self.f)
        for q, (cx, cy) in enumerate(C):
            new[q] = np.roll(np.roll(self.f[q], cx, axis=0), cy, axis=1)
        for q, values in zip(SOUTH, low):
            new[OPPOSITE[q], 1:-1, 0] = values
        for q, values in zip(NORTH, high):
            new[OPPOSITE[q], 1:-1, -1] = values
        self.f = new

    def step(self):
        self.collide()
        self.stream()
