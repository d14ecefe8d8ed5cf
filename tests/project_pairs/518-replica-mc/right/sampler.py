import logging
import math

import numpy as np

log = logging.getLogger("polymer")


class Metropolis:
    """Single-bead Metropolis moves."""

    def __init__(self, comm, energy, x0, beta, step, seed=None):
        self.comm = comm
        self.energy = energy
        self.x = x0.copy()
        self.beta = beta
        self.step = step
        self.rng = np.random.default_rng(self._entropy(seed))
        self.e = energy(self.x)
        self.accepted = 0
        self.tried = 0
        self.listeners = []

    def _entropy(self, seed):
        if seed is None:
            seed = np.random.SeedSequence().entropy
        return self.comm.bcast(seed, root=0)

    def propose(self):
        trial = self.x.copy()
        k = self.rng.integers(len(trial))
        trial[k] += self.rng.normal(0.0, self.step, 3)
        return trial

    def accept(self, de):
        return de <= 0.0 or self.rng.random() < math.exp(-self.beta * de)

    def move(self):
        trial = self.propose()
        e = self.energy(trial)
        self.tried += 1
        if self.accept(e - self.e):
            self.x, self.e = trial, e
            self.accepted += 1

    def run(self, moves):
        for i in range(1, moves + 1):
            self.move()
            for interval, fn in self.listeners:
                if i % interval == 0:
                    fn(i, self)

    @property
    def rate(self):
        return self.accepted / max(self.tried, 1)
