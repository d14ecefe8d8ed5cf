"""Convergence bookkeeping."""
from collections import deque

import numpy as np


class ResidualMonitor:
    def __init__(self, tol, every=10, keep=5):
        self.tol = tol
        self.every = every
        self.history = deque(maxlen=keep)

    def measure(self, old, new):
        return float(np.max(np.abs(new - old))) if new.size else 0.0

    def update(self, it, old, new):
        if it % self.every:
            return False
        res = self.measure(old, new)
        self.history.append(res)
        return res < self.tol

    @property
    def last(self):
        return self.history[-1] if self.history else float("nan")
