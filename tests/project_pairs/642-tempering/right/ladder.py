import numpy as np


def geometric_ladder(n, t_max):
    if n == 1:
        return np.ones(1)
    return t_max ** (np.arange(n) / (n - 1))


class SwapCounter:
    """Acceptance bookkeeping for the link (rank, rank + 1)."""

    def __init__(self):
        self.tried = 0
        self.accepted = 0

    def add(self, ok):
        self.tried += 1
        self.accepted += bool(ok)

    @property
    def rate(self):
        return self.accepted / self.tried if self.tried else float("nan")
