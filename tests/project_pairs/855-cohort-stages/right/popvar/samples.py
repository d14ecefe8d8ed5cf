"""Genotype calls of one sample and the source which yields them."""
from dataclasses import dataclass, field

import numpy as np

MISSING = -1


@dataclass
class CohortConfig:
    n_samples: int = 40
    n_sites: int = 500
    missing_rate: float = 0.05
    empty_samples: tuple = (23,)        # lane failed, no calls
    stages: tuple = ("call_rate", "allele_count", "depth")
    seed: int = 5


@dataclass
class Sample:
    name: str
    calls: np.ndarray
    depth: np.ndarray
    tags: dict = field(default_factory=dict)

    @property
    def called(self):
        return self.calls != MISSING


class SampleSource:
    """Iterates over the samples of a rank, in blocks."""

    def __init__(self, cfg, rank, size):
        self.cfg = cfg
        bounds = np.linspace(0, cfg.n_samples, size + 1).astype(int)
        self.numbers = range(bounds[rank], bounds[rank + 1])
        self.frequency = np.random.default_rng(cfg.seed).beta(
            0.8, 2.0, cfg.n_sites)

    def __iter__(self):
        for number in self.numbers:
            rng = np.random.default_rng([self.cfg.seed, number])
            calls = rng.binomial(2, self.frequency)
            calls[rng.random(calls.size) < self.cfg.missing_rate] = MISSING
            depth = rng.poisson(30.0, calls.size)
            if number in self.cfg.empty_samples:
                calls[:] = MISSING
                depth[:] = 0
            yield Sample(f"NA{number:05d}", calls, depth)
