import numpy as np


class RunningProfile:
    """Binned sums with clipping against the profile of the rounds so far."""

    def __init__(self, cfg, team):
        self.cfg = cfg
        self.team = team
        self.weight = np.zeros(cfg.bins)
        self.total = np.zeros(cfg.bins)
        self.square = np.zeros(cfg.bins)

    def moments(self):
        w = np.maximum(self.weight, 1.0)
        mean = self.total / w
        return mean, np.sqrt(np.maximum(self.square / w - mean ** 2, 0.0))

    def keep(self, index, flux):
        if self.weight.min() < 10:
            return np.ones(len(flux), bool)
        mean, std = self.moments()
        return np.abs(flux - mean[index]) <= self.cfg.clip * std[index]

    def add(self, r, flux):
        """Take in the objects of this round from all ranks."""
        bins = self.cfg.bins
        index = np.minimum((r / self.cfg.rmax * bins).astype(int), bins - 1)
        ok = self.keep(index, flux)
        index, flux = index[ok], flux[ok]
        part = np.stack([np.bincount(index, minlength=bins).astype(float),
                         np.bincount(index, flux, minlength=bins),
                         np.bincount(index, flux ** 2, minlength=bins)])
        part = self.team.sum(part)
        self.weight += part[0]
        self.total += part[1]
        self.square += part[2]
