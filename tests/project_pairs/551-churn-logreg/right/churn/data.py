import numpy as np


def read_region(cfg, region):
    """Rows of one region; the extracts have the size the region has."""
    truth = np.random.default_rng(cfg.seed).normal(size=cfg.features)
    rng = np.random.default_rng((cfg.seed, region))
    rows = cfg.base_rows + cfg.region_step * region
    x = rng.normal(size=(rows, cfg.features))
    p = 1.0 / (1.0 + np.exp(-(x @ truth)))
    y = (rng.random(rows) < p).astype(float)
    return x, y


class BatchLoader:
    """Shuffled mini-batches of the rows held here."""

    def __init__(self, x, y, batch_size, seed=0, drop_last=True):
        self.x = x
        self.y = y
        self.batch_size = batch_size
        self.drop_last = drop_last
        self._rng = np.random.default_rng(seed)

    def __len__(self):
        full, rest = divmod(len(self.y), self.batch_size)
        return full if self.drop_last or rest == 0 else full + 1

    def __iter__(self):
        order = self._rng.permutation(len(self.y))
        for i in range(len(self)):
            pick = order[i * self.batch_size:(i + 1) * self.batch_size]
            yield self.x[pick], self.y[pick]
