import logging

import numpy as np

from reductions import Extremes

log = logging.getLogger("burgers")


class StepLimitError(RuntimeError):
    pass


class Burgers:
    def __init__(self, mesh, cfg):
        self.mesh = mesh
        self.nu = cfg["physics"]["viscosity"]
        self.time = cfg["time"]
        self.u = cfg["physics"]["amplitude"] * np.sin(2 * np.pi * mesh.x) + 0.3
        self.extremes = Extremes(mesh.comm)
        self.t = 0.0
        self.steps = 0
        self.observers = []

    def timestep(self):
        grad = np.abs(np.diff(self.u)).max() / self.mesh.dx
        speed, steep = self.extremes.maxima(np.abs(self.u).max(), grad)
        dt = self.time["cfl"] * self.mesh.dx / max(speed, 1e-12)
        dt = min(dt, 0.4 * self.mesh.dx ** 2 / self.nu, self.time["dt_max"])
        if steep > 0.0:
            dt = min(dt, 2.0 / steep)
        return min(dt, self.time["end"] - self.t)

    def rate(self):
        u = self.mesh.pad(self.u)
        dx = self.mesh.dx
        flux = 0.5 * u * u
        a = np.maximum(np.abs(u[1:]), np.abs(u[:-1]))
        face = 0.5 * (flux[1:] + flux[:-1]) - 0.5 * a * (u[1:] - u[:-1])
        visc = self.nu * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx ** 2
        return visc - (face[1:] - face[:-1]) / dx

    def advance(self):
        dt = self.timestep()
        self.u = self.u + dt * self.rate()
        self.t += dt
        self.steps += 1
        for obs in self.observers:
            obs(self, dt)

    def run(self):
        while self.t < self.time["end"] - 1e-12:
            if self.steps >= self.time["max_steps"]:
                raise StepLimitError(f"t={self.t:.4f} after {self.steps} steps")
            self.advance()
        return self.steps
