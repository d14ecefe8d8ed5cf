import numpy as np


class DoubleWell:
    """Two Gaussian bumps of unequal weight in `dim` dimensions."""

    def __init__(self, dim=4, separation=6.0, weight=0.7):
        self.dim = dim
        self.a = np.zeros(dim)
        self.a[0] = +0.5 * separation
        self.w = weight

    def __call__(self, x):
        la = np.log(self.w) - 0.5 * np.sum((x - self.a) ** 2)
        lb = np.log1p(-self.w) - 0.5 * np.sum((x + self.a) ** 2)
        return np.logaddexp(la, lb)

    def prior_draw(self, rng):
        return rng.normal(scale=4.0, size=self.dim)
