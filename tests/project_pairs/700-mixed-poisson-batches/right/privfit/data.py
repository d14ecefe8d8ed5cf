import numpy as np


class Records:
    """Own rows of a synthetic table."""

    def __init__(self, cfg, group):
        rng = np.random.default_rng(cfg.seed)
        x = rng.normal(size=(cfg.records, cfg.features))
        direction = rng.normal(size=cfg.features)
        y = (x @ direction + 0.5 * rng.normal(size=cfg.records) > 0).astype(float)
        mine = np.arange(group.rank, cfg.records, group.size)
        self.x, self.y = x[mine].astype(np.float32), y[mine].astype(np.float32)

    def __len__(self):
        return len(self.y)
