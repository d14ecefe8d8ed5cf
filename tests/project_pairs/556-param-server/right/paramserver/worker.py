import logging

import numpy as np

from .config import shard_rows
from .protocol import pull, push

log = logging.getLogger(__name__)


class Worker:
    def __init__(self, comm, task, config, server=0):
        self.comm = comm
        self.task = task
        self.config = config
        self.server = server
        self.weights = np.zeros(config["dims"])
        index = comm.rank - 1
        self.x, self.y = task.rows(index, shard_rows(config, index, comm.size - 1))

    def _batches(self):
        size = self.config["batch"]
        for start in range(0, len(self.y), size):
            stop = start + size
            if stop > len(self.y):
                log.debug("rank %d leaves %d rows", self.comm.rank, len(self.y) - start)
                break
            yield self.x[start:stop], self.y[start:stop]

    def run(self):
        for _ in range(self.config["epochs"]):
            for x, y in self._batches():
                pull(self.comm, self.server, self.weights)
                push(self.comm, self.server, self.task.gradient(self.weights, x, y))
