import numpy as np


class CantileverTruss:
    """Ten-bar truss: minimise weight subject to stress limits (penalised)."""

    nodes = np.array([[720, 360], [720, 0], [360, 360], [360, 0], [0, 360], [0, 0]], float)
    bars = np.array([(4, 2), (2, 0), (5, 3), (3, 1), (2, 3), (0, 1), (4, 3), (5, 2), (2, 1), (3, 0)])
    E, rho, limit = 1e7, 0.1, 25e3

    def __init__(self):
        d = self.nodes[self.bars[:, 1]] - self.nodes[self.bars[:, 0]]
        self.len = np.hypot(*d.T)
        self.dir = d / self.len[:, None]
        self.load = np.zeros(12)
        self.load[[3, 7]] = -1e5
        self.free = np.arange(8)

    def __call__(self, area):
        K = np.zeros((12, 12))
        for (a, b), c, L, A in zip(self.bars, self.dir, self.len, area):
            k = self.E * A / L * np.outer(c, c)
            ia, ib = slice(2 * a, 2 * a + 2), slice(2 * b, 2 * b + 2)
            K[ia, ia] += k
            K[ib, ib] += k
            K[ia, ib] -= k
            K[ib, ia] -= k
        u = np.zeros(12)
        u[self.free] = np.linalg.solve(K[np.ix_(self.free, self.free)], self.load[self.free])
        u = u.reshape(-1, 2)
        strain = np.einsum("ij,ij->i", u[self.bars[:, 1]] - u[self.bars[:, 0]], self.dir) / self.len
        over = np.clip(np.abs(self.E * strain) / self.limit - 1.0, 0, None).sum()
        return self.rho * float(area @ self.len) * (1.0 + over) ** 2
