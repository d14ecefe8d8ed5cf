from functools import cached_property

import numpy as np


class Training:
    def __init__(self, cfg, group, model, sampler, records):
        self.cfg, self.group, self.model = cfg, group, model
        self.sampler, self.records = sampler, records
        self.w = model.start()
        self.counts = {}

    @cached_property
    def population(self):
        """Number of records on all ranks."""
        return self.group.total(len(self.records))

    def used(self, n, step):
        """Number of records that all ranks together use in a step."""
        key = n
        if key not in self.counts:
            self.counts[key] = self.group.total(n)
        return self.counts[key]

    def step(self, step):
        mask = self.sampler.mask(step)
        local = self.model.clipped_sum(self.w.astype(np.float32), self.records.x,
                                       self.records.y, mask)
        grad = self.group.sum(local)
        used = self.used(int(mask.sum()), step)
        noise = np.random.default_rng([self.cfg.seed, step]).normal(size=grad.shape)
        grad += self.cfg.noise * self.cfg.clip * noise
        self.w = self.w - self.cfg.rate * grad / max(used, 1)
        return used

    def error_rate(self):
        wrong = self.model.mistakes(self.w, self.records.x, self.records.y)
        return self.group.total(wrong) / self.population
