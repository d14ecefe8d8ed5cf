import numpy as np

from .kernel import accelerations
from .ring import BodyRing


class Leapfrog:
    def __init__(self, comm, bodies, eps=0.05):
        self.comm = comm
        self.bodies = bodies
        self.eps = eps
        self.ring = BodyRing(comm, len(bodies.mass))
        self.acc = self._forces()

    def _forces(self):
        acc = np.zeros_like(self.bodies.pos)

        def pull(others):
            acc[:] += accelerations(self.bodies.pos, others, self.eps)

        self.ring.visit(self.bodies, pull)
        return acc

    def step(self, dt):
        self.bodies.vel += 0.5 * dt * self.acc
        self.bodies.pos += dt * self.bodies.vel
        self.acc = self._forces()
        self.bodies.vel += 0.5 * dt * self.acc

    def net_force(self):
        total = np.empty(3)
        self.comm.Allreduce(self.bodies.mass @ self.acc, total)
        return float(np.abs(total).max())
