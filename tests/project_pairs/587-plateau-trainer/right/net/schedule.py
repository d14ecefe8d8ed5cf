import logging

log = logging.getLogger("net.schedule")


class ReduceOnPlateau:
    """Divides the rate when the metric has not improved for some epochs."""

    def __init__(self, rate, factor=0.5, patience=2, margin=1e-3):
        self.rate = rate
        self.factor = factor
        self.patience = patience
        self.margin = margin
        self.best = float("inf")
        self.stale = 0

    def update(self, metric):
        if metric < self.best * (1 - self.margin):
            self.best = metric
            self.stale = 0
            return
        self.stale += 1
        if self.stale > self.patience:
            self.rate *= self.factor
            self.stale = 0
            log.info("rate now %.4g", self.rate)
