import numpy as np
from jax.experimental import multihost_utils


class EarlyStopping:
    def __init__(self, patience=3, min_delta=1e-4):
        self.patience = patience
        self.min_delta = min_delta
        self.best = np.inf
        self.bad = 0

    def _merge(self, value):
        """mean over the processes"""
        return float(np.mean(multihost_utils.process_allgather(np.float32(value))))

    def should_stop(self, value):
        value = self._merge(value)
        if value < self.best - self.min_delta:
            self.best = value
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience
