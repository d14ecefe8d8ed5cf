import numpy as np


class Population:
    """The units of one rank: tuning, base rate, and spike counts."""

    def __init__(self, cfg, rank, size):
        self.cfg = cfg
        design = np.random.default_rng([cfg.seed, 1])
        rates = design.gamma(4.0, 6.0, size=cfg.units)
        tuning = design.normal(scale=0.09, size=cfg.units)
        mine = slice(rank, None, size)
        self.rates, self.tuning = rates[mine], tuning[mine]
        self.labels = np.where(np.arange(cfg.trials) % 2, 1.0, -1.0)

    def simulate(self, streams):
        """Spike counts, shape (units, trials)."""
        gain = np.exp(self.tuning[:, None] * self.labels[None, :])
        mean = self.rates[:, None] * gain * self.cfg.window
        return streams.local.poisson(mean)
