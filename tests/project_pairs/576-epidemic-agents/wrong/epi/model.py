import logging

import numpy as np
from mpi4py import MPI

from .policy import Lockdown
from .population import Population
from .recorder import open_recorder

log = logging.getLogger("epi")


class EpidemicModel:
    def __init__(self, comm, config):
        self.comm = comm
        self.config = config
        rng = np.random.default_rng([config.seed, comm.rank])
        self.population = Population(config.agents, config.seeds, rng)
        self.recorder = open_recorder(comm, config.output)
        self.policy = Lockdown(config, self._on_policy)
        self.totals = np.zeros(3, dtype=np.int64)

    def _on_policy(self, day, text):
        log.debug("day %d %s", day, text)
        self.recorder.event(day, text)

    def _count(self):
        self.comm.Allreduce(self.population.counts(), self.totals, op=MPI.SUM)
        return self.totals[1] / self.totals.sum()

    def step(self, day):
        prevalence = self._count()
        if self.recorder is not None:
            self.recorder.day(day, self.totals)
        self.policy.update(day, prevalence)
        self.population.infect(20 * prevalence, self.policy.contacts, self.config.transmission)
        self.population.recover(self.config.recovery)
        return prevalence

    def run(self):
        peak = max(self.step(day) for day in range(self.config.days))
        self._count()
        if self.recorder is not None:
            self.recorder.close()
        return peak
