import numpy as np


def tournament(fit, rng, k=3):
    picks = rng.integers(0, len(fit), (len(fit), k))
    return picks[np.arange(len(fit)), np.argmin(fit[picks], axis=1)]


def blend(parents, rng, alpha=0.3):
    mates = parents[rng.permutation(len(parents))]
    w = rng.uniform(-alpha, 1 + alpha, parents.shape)
    return w * parents + (1 - w) * mates


def mutate(pop, lo, hi, rng, rate=0.15, scale=0.08):
    hit = rng.random(pop.shape) < rate
    pop = pop + hit * rng.normal(0, scale * (hi - lo), pop.shape)
    return np.clip(pop, lo, hi)


class Progress:
    """Remembers the best fitness and how long it has not improved."""

    def __init__(self, patience, rtol=1e-4):
        self.patience, self.rtol = patience, rtol
        self.best, self.genes, self.since = np.inf, None, 0

    def update(self, pop, fit):
        k = int(np.argmin(fit))
        if fit[k] < self.best * (1 - self.rtol):
            self.best, self.genes, self.since = float(fit[k]), pop[k].copy(), 0
        else:
            self.since += 1

    @property
    def stalled(self):
        return self.since >= self.patience
