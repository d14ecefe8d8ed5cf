import numpy as np


class ShallowWater:
    def __init__(self, domain, cfg):
        self.domain = domain
        self.g = cfg.gravity
        self.q = np.zeros((2, domain.n + 2))
        index = np.arange(domain.start, domain.start + domain.n)
        left = (cfg.cells + 1) // 2
        self.q[0, 1:-1] = np.where(index < left, cfg.depth_left, cfg.depth_right)
        self.depth_right = cfg.depth_right

    def wave_speed(self):
        h, hu = self.q[:, 1:-1]
        return float((np.abs(hu / h) + np.sqrt(self.g * h)).max())

    def apply_walls(self):
        d = self.domain
        if d.rank == 0:
            self.q[:, 0] = self.q[0, 1], -self.q[1, 1]
        if d.rank == d.size - 1:
            self.q[:, -1] = self.q[0, -2], -self.q[1, -2]

    def flux(self, q):
        h, hu = q
        return np.stack([hu, hu * hu / h + 0.5 * self.g * h * h])

    def update(self, dt):
        self.domain.fill_ghosts(self.q)
        self.apply_walls()
        ql, qr = self.q[:, :-1], self.q[:, 1:]
        speed = np.maximum(np.abs(ql[1] / ql[0]) + np.sqrt(self.g * ql[0]),
                           np.abs(qr[1] / qr[0]) + np.sqrt(self.g * qr[0]))
        f = 0.5 * (self.flux(ql) + self.flux(qr)) - 0.5 * speed * (qr - ql)
        self.q[:, 1:-1] -= dt / self.domain.dx * (f[:, 1:] - f[:, :-1])

    def mass(self):
        return float(self.q[0, 1:-1].sum()) * self.domain.dx

    def front(self):
        wet = self.q[0, 1:-1] > self.depth_right * 1.05
        return float(self.domain.centres()[wet].max()) if wet.any() else 0.0
