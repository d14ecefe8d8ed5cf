"""Measurements of wind stations. Sensors freeze now and then."""
import numpy as np


class SensorFault(RuntimeError):
    pass


class StationGroup:
    def __init__(self, group, stations=24, seed=0):
        self.group = group
        self.n = stations
        self.seed = seed

    def day(self, d):
        rng = np.random.default_rng([self.seed, self.group, d])
        feats = rng.normal(size=(self.n, 5)).astype(np.float32)
        target = (feats @ np.array([0.5, -1, 2, 0, 0.3]) + 1.0).astype(np.float32)
        if self.group == 1 and d % 7 == 3:
            target[:4] = np.nan
        return feats, target


def quality_control(feats, target):
    bad = ~np.isfinite(target)
    if bad.mean() > 0.1:
        raise SensorFault(f"{bad.sum()} of {len(bad)} stations without data")
    keep = (~bad).astype(np.float32)
    return feats, np.where(bad, 0.0, target).astype(np.float32), keep
