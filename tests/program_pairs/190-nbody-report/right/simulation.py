import numpy as np

from diagnostics import Diagnostics


class Simulation:
    def __init__(self, comm, bodies, dt, seed=3):
        self.comm = comm
        self.is_root = comm.rank == 0
        self.dt = dt
        self.time = 0.0
        rng = np.random.default_rng(seed)
        pos = rng.standard_normal((bodies, 3))
        vel = 0.1 * rng.standard_normal((bodies, 3))
        pick = slice(comm.rank, bodies, comm.size)
        self.pos = pos[pick].copy()
        self.vel = vel[pick].copy()
        self.mass = np.full(len(self.pos), 1.0 / bodies)
        self.diag = Diagnostics(comm)

    def accelerations(self):
        everyone = np.vstack(self.comm.allgather(self.pos))
        masses = np.concatenate(self.comm.allgather(self.mass))
        delta = everyone[None, :, :] - self.pos[:, None, :]
        r2 = (delta ** 2).sum(axis=2) + 1e-2
        return (masses[None, :, None] * delta / r2[..., None] ** 1.5).sum(axis=1)

    def step(self):
        self.vel += self.dt * self.accelerations()
        self.pos += self.dt * self.vel
        self.time += self.dt

    def report(self, step):
        s = self.diag.summary(self.mass, self.vel)
        if self.is_root:
            print("step %5d  kinetic %.6e  momentum %.2e" % (step, s["kinetic"], s["momentum"]))

    def run(self, steps, every):
        for k in range(1, steps + 1):
            self.step()
            if k % every == 0:
                self.report(k)
