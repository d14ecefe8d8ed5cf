import logging

import numpy as np

from parallel import GradientBucket
from reviews import batches

log = logging.getLogger("sgd")


class Momentum:
    def __init__(self, params, rate=0.1, beta=0.9):
        self.params = params
        self.rate = rate
        self.beta = beta
        self.velocity = {k: np.zeros_like(v) for k, v in params.items()}

    def apply(self, grads):
        for name, g in grads.items():
            self.velocity[name] = self.beta * self.velocity[name] + g
            self.params[name] -= self.rate * self.velocity[name]


class Trainer:
    def __init__(self, comm, network, config):
        self.comm = comm
        self.network = network
        self.config = config
        self.bucket = GradientBucket(comm, network.params)
        self.optimiser = Momentum(network.params, config["rate"])
        self.rng = np.random.default_rng([config["seed"], comm.rank])

    def _step(self, x, y):
        loss, grads = self.network.loss_and_grads(x, y)
        self.bucket.average(grads)
        self.optimiser.apply(grads)
        return loss

    def fit(self, x, y):
        for epoch in range(self.config["epochs"]):
            losses = [self._step(bx, by) for bx, by in
                      batches(x, y, self.config["batch"], self.rng, self.config["steps"])]
            mean = self.comm.allreduce(float(np.mean(losses))) / self.comm.size
            if self.comm.rank == 0:
                log.info("epoch %d loss %.4f", epoch, mean)
