import numpy as np


class SeriesData:
    """Windows of a noisy seasonal series; later windows form the validation set."""

    def __init__(self, cfg, cluster):
        self.cfg = cfg
        self.cluster = cluster
        n = cfg.train + cfg.valid + cfg.lags
        rng = np.random.default_rng(cfg.seed)
        t = np.arange(n)
        level = np.sin(2 * np.pi * t / 24) + 0.3 * np.sin(2 * np.pi * t / 7)
        s = (level + rng.normal(size=n) * (0.1 + 0.2 * t / n)).astype(np.float32)
        self.x = np.stack([s[i:i + cfg.train + cfg.valid] for i in range(cfg.lags)], axis=1)
        self.y = s[cfg.lags:]

    def batches(self, epoch):
        order = np.random.default_rng([self.cfg.seed, epoch]).permutation(self.cfg.train)
        for lo in range(0, self.cfg.train - self.cfg.batch + 1, self.cfg.batch):
            ids = order[lo:lo + self.cfg.batch][self.cluster.share(self.cfg.batch)]
            yield self.cluster.feed(self.x[ids]), self.cluster.feed(self.y[ids])

    def validation(self):
        part = self.cluster.share(self.cfg.valid)
        x, y = self.x[self.cfg.train:], self.y[self.cfg.train:]
        return self.cluster.feed(x[part]), self.cluster.feed(y[part])
