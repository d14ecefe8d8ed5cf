import logging

import numpy as np

from .physics import SlabTransport
from .tally import Tally

log = logging.getLogger("shield")


class Driver:
    def __init__(self, comm, cfg, target_error=0.0):
        self.comm = comm
        self.cfg = cfg
        self.model = SlabTransport(cfg.layers)
        self.tally = Tally(comm, cfg.tally_bins)
        self.target_error = target_error

    def my_batches(self):
        return range(self.comm.rank, self.cfg.n_batches, self.comm.size)

    def batch_histories(self, batch):
        done = batch * self.cfg.batch_size
        return min(self.cfg.batch_size, self.cfg.histories - done)

    def simulate(self, batch):
        n = self.batch_histories(batch)
        rng = np.random.default_rng([self.cfg.seed, batch])
        self.tally.score(n, *self.model.run_batch(n, rng, self.cfg.tally_bins))

    def checkpoint(self, k):
        p, err, total = self.tally.estimate()
        log.info("round %d: %d histories, T = %.5f +- %.5f", k, int(total[0]), p, err)
        return err < self.target_error

    def run(self):
        for k, batch in enumerate(self.my_batches()):
            self.simulate(batch)
            if self.checkpoint(k):
                break
        return self.tally.estimate()
