import numpy as np


class CallCentre:
    """Daily counts of one call centre; days of an outage have no value."""

    OUTAGES = {1: (31, 34)}

    def __init__(self, cfg, centre):
        rng = np.random.default_rng((cfg["seed"], centre))
        truth = np.array([0.4, -0.3, 0.2, 0.1])[:cfg["features"]]
        self.x = rng.normal(size=(cfg["days"], cfg["features"])).astype(np.float32)
        self.y = rng.poisson(np.exp(1.0 + self.x @ truth)).astype(np.float32)
        first, last = self.OUTAGES.get(centre, (0, 0))
        self.y[first:last] = np.nan

    def batches(self, size):
        for start in range(0, len(self.y), size):
            yield self.x[start:start + size], self.y[start:start + size]
