import numpy as np


class SpinGlass:
    """+-J Edwards-Anderson model on an L x L torus, checkerboard Metropolis."""

    def __init__(self, L, coupling_seed):
        rng = np.random.default_rng(coupling_seed)
        self.L = L
        self.jx = rng.choice([-1.0, 1.0], (L, L))
        self.jy = rng.choice([-1.0, 1.0], (L, L))
        i, j = np.indices((L, L))
        self.masks = [(i + j) % 2 == k for k in (0, 1)]

    def field(self, s):
        return (self.jx * np.roll(s, -1, 0) + np.roll(self.jx * s, 1, 0)
                + self.jy * np.roll(s, -1, 1) + np.roll(self.jy * s, 1, 1))

    def energy(self, s):
        return -0.5 * float(np.sum(s * self.field(s)))

    def sweep(self, s, beta, rng):
        for mask in self.masks:
            de = 2.0 * s * self.field(s)
            flip = mask & (rng.random(s.shape) < np.exp(-beta * np.clip(de, 0, None)))
            s[flip] *= -1
