import numpy as np


class DemandSeries:
    """Synthetic hourly demand with a daily and a weekly season."""

    def __init__(self, hours, seed=19):
        rng = np.random.default_rng(seed)
        t = np.arange(hours)
        self.values = (
            10.0
            + 3.0 * np.sin(2 * np.pi * t / 24)
            + 1.5 * np.cos(2 * np.pi * t / 168)
            + 0.4 * rng.normal(size=hours)
        ).astype(np.float32)

    def __len__(self):
        return len(self.values)
