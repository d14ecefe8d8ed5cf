import numpy as np


class Stack:
    """Quarter-wave mirror, (HL)^n on glass; transfer matrices at normal incidence."""

    def __init__(self, centre, pairs, n_hi=2.3, n_lo=1.45, n_sub=1.52):
        self.n = [n_hi, n_lo] * pairs
        self.d = [centre / (4 * k) for k in self.n]
        self.n_sub = n_sub

    def reflectance(self, lam):
        lam = np.atleast_1d(lam)
        m = np.tile(np.eye(2, dtype=complex), (lam.size, 1, 1))
        for n, d in zip(self.n, self.d):
            ph = 2 * np.pi * n * d / lam
            layer = np.empty_like(m)
            layer[:, 0, 0] = layer[:, 1, 1] = np.cos(ph)
            layer[:, 0, 1] = 1j * np.sin(ph) / n
            layer[:, 1, 0] = 1j * n * np.sin(ph)
            m = m @ layer
        b = m[:, 0, 0] + m[:, 0, 1] * self.n_sub
        c = m[:, 1, 0] + m[:, 1, 1] * self.n_sub
        return np.abs((b - c) / (b + c)) ** 2
