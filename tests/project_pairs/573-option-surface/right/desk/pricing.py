import logging
from functools import lru_cache

import numpy as np
from mpi4py import MPI

log = logging.getLogger("desk.pricing")


class Pricer:
    """Call prices with terminal samples scaled to the forward."""

    def __init__(self, comm, engine, cache=64):
        self.comm = comm
        self.engine = engine
        self.samples = lru_cache(maxsize=cache)(self._samples)

    def _samples(self, name, expiry):
        values = self.engine.terminal(name, expiry)
        mean = self._mean(values)
        return values * (self.engine.forward(name, expiry) / mean)

    def _mean(self, values):
        part = np.array([values.sum(), values.size])
        self.comm.Allreduce(MPI.IN_PLACE, part, op=MPI.SUM)
        return part[0] / part[1]

    def price(self, trade):
        s = self.samples(trade.name, trade.expiry)
        payoff = np.maximum(s - trade.strike, 0.0)
        return float(np.exp(-self.engine.rate * trade.expiry) * self._mean(payoff))

    def drop(self):
        log.debug("cache %s", self.samples.cache_info())
        self.samples.cache_clear()
