import logging

import numpy as np

from diffusion import RandomMediumDiffusion
from moments import EnsembleStats

log = logging.getLogger("ensemble")


class Ensemble:
    def __init__(self, team, cfg):
        self.team = team
        self.cfg = cfg
        self.stats = EnsembleStats(team)
        self.hooks = []

    def members(self):
        return range(self.team.index, self.cfg.members, self.team.count)

    def solve(self, member):
        model = RandomMediumDiffusion(self.team.comm, self.cfg.points,
                                      self.cfg.sigma, [self.cfg.seed, member])
        head = model.head(1.0, 0.0)
        if not np.all(np.isfinite(head)):
            raise FloatingPointError(f"member {member}")
        return model.effective_conductivity()

    def run(self):
        for m in self.members():
            value = self.solve(m)
            self.stats.add(value)
            for hook in self.hooks:
                hook(m, value)
        return self.stats.summary()
