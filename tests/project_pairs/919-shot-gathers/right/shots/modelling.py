"""Reflection seismograms over a dipping layer."""
import numpy as np

DT = 0.004


def ricker(t, f=20.0):
    a = (np.pi * f * t) ** 2
    return (1.0 - 2.0 * a) * np.exp(-a)


class Layer:
    def __init__(self, velocity=2000.0, depth=300.0, dip=0.08, scatterers=60):
        self.velocity = velocity
        self.depth = depth
        self.dip = dip
        rng = np.random.default_rng(12)
        self.points = rng.uniform((0, 100), (1500, 700), (scatterers, 2))

    def record(self, shot):
        t = np.arange(shot.samples) * DT
        data = np.zeros((shot.receivers, shot.samples))
        depth = self.depth + self.dip * shot.x
        for trace, offset in zip(data, shot.offsets):
            arrival = np.hypot(offset, 2 * depth) / self.velocity
            trace += ricker(t - arrival) / arrival
            for px, pz in self.points:
                path = np.hypot(px - shot.x, pz) + np.hypot(px - shot.x - offset, pz)
                trace += 0.02 * ricker(t - path / self.velocity)
        return data
