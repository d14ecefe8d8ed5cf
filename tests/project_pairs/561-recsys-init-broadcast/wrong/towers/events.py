import numpy as np


class EventStream:
    """Clicks seen by one process."""

    def __init__(self, cfg, process):
        self.cfg = cfg
        self.process = process
        rng = np.random.default_rng(1234)
        self.taste = rng.normal(size=(cfg.users, 2)) @ rng.normal(size=(2, cfg.items))

    def batch(self, step):
        rng = np.random.default_rng((step, self.process))
        user = rng.integers(0, self.cfg.users, size=self.cfg.batch)
        item = rng.integers(0, self.cfg.items, size=self.cfg.batch)
        clicked = (self.taste[user, item] + 0.3 * rng.normal(size=user.size)) > 0
        return user, item, clicked.astype(np.float32)
