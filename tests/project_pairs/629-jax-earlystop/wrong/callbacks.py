import math


class EarlyStopping:
    """Stop when the monitored value has not improved for ``patience`` epochs."""

    def __init__(self, patience=3, min_delta=1e-4):
        self.patience = patience
        self.min_delta = min_delta
        self.best = math.inf
        self.best_epoch = -1

    def update(self, epoch, value):
        if value < self.best - self.min_delta:
            self.best = value
            self.best_epoch = epoch
        return epoch - self.best_epoch >= self.patience


class History:
    def __init__(self):
        self.rows = []

    def add(self, **kwargs):
        self.rows.append(kwargs)

    def format_last(self):
        return "  ".join(
            f"{k} {v:.5f}" if isinstance(v, float) else f"{k} {v}" for k, v in self.rows[-1].items()
        )
