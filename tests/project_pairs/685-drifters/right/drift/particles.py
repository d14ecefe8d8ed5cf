import numpy as np


class ParticleSet:
    """Rows of id, x, y."""

    def __init__(self, rows):
        self.rows = np.ascontiguousarray(rows, dtype=float).reshape(-1, 3)

    @classmethod
    def release(cls, strips, cfg):
        rng = np.random.default_rng(cfg["seed"])
        n = cfg["drifters"]
        rows = np.empty((n, 3))
        rows[:, 0] = np.arange(n)
        rows[:, 1] = rng.uniform(0.05, 0.95, n) * cfg["width"]
        rows[:, 2] = rng.uniform(0.05, 0.95, n) * cfg["height"]
        return cls(rows[strips.owner(rows[:, 1]) == strips.rank])

    @property
    def n(self):
        return len(self.rows)

    def moment(self):
        return self.rows[:, 1].sum(), self.rows[:, 2].sum()

    def push(self, flow, t, dt):
        x, y = self.rows[:, 1], self.rows[:, 2]
        u, v = flow.velocity(x, y, t)
        um, vm = flow.velocity(x + 0.5 * dt * u, y + 0.5 * dt * v, t + 0.5 * dt)
        self.rows[:, 1] = np.clip(x + dt * um, 0.0, flow.width)
        self.rows[:, 2] = np.clip(y + dt * vm, 0.0, flow.height)
