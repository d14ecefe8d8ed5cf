"""Choice of the records that a step uses, as a mask over the own records."""
import numpy as np

SAMPLERS = {}


def sampler(name):
    def add(cls):
        SAMPLERS[name] = cls
        return cls
    return add


class Sampler:
    def __init__(self, cfg, group, n):
        self.cfg, self.group, self.n = cfg, group, n

    def rng(self, step):
        return np.random.default_rng([self.cfg.seed, step, self.group.rank])

    def mask(self, step):
        raise NotImplementedError


@sampler("fixed")
class FixedSampler(Sampler):
    """The same number of records in each step."""

    def mask(self, step):
        k = max(1, int(self.cfg.fraction * self.n))
        out = np.zeros(self.n, np.float32)
        out[self.rng(step).choice(self.n, k, replace=False)] = 1.0
        return out


@sampler("poisson")
class PoissonSampler(Sampler):
    """Each record takes part with the same probability."""

    def mask(self, step):
        return (self.rng(step).random(self.n) < self.cfg.fraction).astype(np.float32)
