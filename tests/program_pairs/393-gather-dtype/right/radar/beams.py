import numpy as np


class BeamSimulator:
    """Fake Doppler weather radar: returns reflectivity per range gate."""

    #: the digitiser delivers single precision
    dtype = np.float32

    def __init__(self, gates, seed=0):
        self.gates = gates
        self.seed = seed

    def shoot(self, azimuth):
        rng = np.random.default_rng([self.seed, int(azimuth * 10)])
        r = np.arange(1, self.gates + 1)
        cell = 40 * np.exp(-((r - 30) / 8.0) ** 2) * (1 + np.cos(np.radians(azimuth)))
        return (cell + rng.normal(scale=0.5, size=self.gates)).astype(self.dtype)
