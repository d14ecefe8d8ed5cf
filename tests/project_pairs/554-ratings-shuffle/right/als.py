import numpy as np


class ItemFactors:
    """Alternating least squares within one item partition."""

    def __init__(self, rank, reg, seed=0):
        self.rank = rank
        self.reg = reg
        self.rng = np.random.default_rng(seed)

    def _solve(self, keys, other, stars):
        out = {}
        eye = self.reg * np.eye(self.rank)
        for k in np.unique(keys):
            rows = keys == k
            a = other[rows]
            out[k] = np.linalg.solve(a.T @ a + eye, a.T @ stars[rows])
        return np.array([out[k] for k in keys])

    def fit(self, users, items, stars, sweeps):
        if not len(stars):
            return 0.0, 0
        u = self.rng.normal(size=(len(stars), self.rank))
        for _ in range(sweeps):
            v = self._solve(items, u, stars)
            u = self._solve(users, v, stars)
        err = np.sum(u * v, axis=1) - stars
        return float(err @ err), len(stars)
