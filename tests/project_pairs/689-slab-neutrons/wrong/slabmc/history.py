import numpy as np

KERNELS = {}


def kernel(name):
    def add(cls):
        KERNELS[name] = cls
        return cls
    return add


class Kernel:
    """Tracks n histories at once; subclasses decide how absorption is treated."""

    def __init__(self, cfg, rng):
        self.cfg = cfg
        self.rng = rng

    def collide(self, weight):
        raise NotImplementedError

    def trace(self, n):
        x = np.zeros(n)
        mu = np.ones(n)
        weight = np.ones(n)
        out = np.zeros(2)
        while len(x):
            x = x + mu * self.rng.exponential(size=len(x))
            right, left = x >= self.cfg.thickness, x < 0.0
            out += weight[right].sum(), weight[left].sum()
            inside = ~(right | left)
            x, weight = x[inside], self.collide(weight[inside])
            mu = self.rng.uniform(-1.0, 1.0, len(x))
            alive = weight > 0.0
            x, mu, weight = x[alive], mu[alive], weight[alive]
        return out / n


@kernel("analog")
class Analog(Kernel):
    def collide(self, weight):
        return weight * (self.rng.random(len(weight)) < self.cfg.albedo)


@kernel("implicit")
class ImplicitCapture(Kernel):
    """Weights shrink at collisions; light histories play roulette."""

    def collide(self, weight):
        weight = weight * self.cfg.albedo
        light = weight < self.cfg.weight_cut
        survive = self.rng.random(len(weight)) < 0.1
        return np.where(light, np.where(survive, weight * 10.0, 0.0), weight)
