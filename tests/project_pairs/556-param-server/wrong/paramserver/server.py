import math

import numpy as np

from .config import shard_rows
from .protocol import Tag, next_message


class ParameterServer:
    """Applies gradients in the order in which they arrive."""

    def __init__(self, comm, task, config):
        self.comm = comm
        self.task = task
        self.config = config
        self.weights = np.zeros(config["dims"])
        self.updates = 0
        self._grad = np.empty_like(self.weights)
        self._handlers = {Tag.PULL: self._on_pull, Tag.PUSH: self._on_push}

    def expected_updates(self):
        workers = self.comm.size - 1
        total = 0
        for w in range(workers):
            rows = shard_rows(self.config, w, workers)
            total += math.ceil(rows / self.config["batch"])
        return total * self.config["epochs"]

    def _on_pull(self, source):
        self.comm.recv(source=source, tag=Tag.PULL)
        self.comm.Send(self.weights, dest=source, tag=Tag.WEIGHTS)

    def _on_push(self, source):
        self.comm.Recv(self._grad, source=source, tag=Tag.PUSH)
        self.weights -= self.config["lr"] * self._grad
        self.updates += 1
        if self.updates % self.config["report_every"] == 0:
            print(f"{self.updates:4d} error {self.task.error(self.weights):.4f}", flush=True)

    def serve(self):
        expected = self.expected_updates()
        while self.updates < expected:
            source, tag = next_message(self.comm)
            self._handlers[Tag(tag)](source)
