import numpy as np


class Engine:
    """Velocity Verlet; each rank computes the forces on its own atoms."""

    def __init__(self, system, dist, cfg, callbacks):
        self.system = system
        self.dist = dist
        self.dt = cfg["dt"]
        self.rc2 = cfg["cutoff"] ** 2
        self.callbacks = callbacks
        self.own = dist.share(system.n)
        self.step = 0
        self.forces, self.local_potential = self.compute()

    def compute(self):
        pos, box = self.system.pos, self.system.box
        d = pos[self.own, None, :] - pos[None, :, :]
        d -= box * np.round(d / box)
        r2 = (d ** 2).sum(axis=-1)
        near = (r2 < self.rc2) & (r2 > 0.0)
        inv6 = np.zeros_like(r2)
        inv6[near] = r2[near] ** -3
        shift = self.rc2 ** -6 - self.rc2 ** -3
        pot = 2.0 * float((inv6 ** 2 - inv6 - near * shift).sum())
        mag = np.zeros_like(r2)
        mag[near] = 24.0 * (2.0 * inv6[near] ** 2 - inv6[near]) / r2[near]
        forces = np.zeros_like(pos)
        forces[self.own] = (mag[..., None] * d).sum(axis=1)
        return self.dist.sum_array(forces), pot

    def potential_energy(self, **kw):
        return self.dist.total(self.local_potential, **kw)

    def kinetic_energy(self):
        return 0.5 * float((self.system.vel ** 2).sum())

    def total_energy(self, **kw):
        potential = self.potential_energy(**kw)
        return None if potential is None else potential + self.kinetic_energy()

    def temperature(self):
        return 2.0 * self.kinetic_energy() / (3.0 * self.system.n)

    def run(self, steps):
        s = self.system
        for cb in self.callbacks:
            cb.on_start(self)
        for self.step in range(1, steps + 1):
            s.vel += 0.5 * self.dt * self.forces
            s.pos = (s.pos + self.dt * s.vel) % s.box
            self.forces, self.local_potential = self.compute()
            s.vel += 0.5 * self.dt * self.forces
            stops = [cb.on_step(self) for cb in self.callbacks]
            if any(stops):
                break
        return self.step
