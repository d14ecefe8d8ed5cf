import collections
import logging
import time

import jax
import numpy as np
from jax.experimental import multihost_utils

from distributed import is_main

log = logging.getLogger("monitor")


class TrainingMonitor:
    """Keeps recent step times and losses, and writes a line now and then."""

    def __init__(self, every, window):
        self.every = every
        self.losses = collections.deque(maxlen=window)
        self.seconds = collections.deque(maxlen=window)
        self._mark = None

    def start_step(self):
        self._mark = time.perf_counter()

    def end_step(self, step, loss, local_loss):
        self.seconds.append(time.perf_counter() - self._mark)
        self.losses.append((loss, local_loss))
        if step % self.every == 0:
            self._write(step)

    def _write(self, step):
        loss = np.mean([g for g, _ in self.losses])
        text = f"step {step} loss {loss:.4f}"
        if jax.process_count() > 1:
            text += f" spread {self._spread():.4f}, slowest {self._slowest() * 1e3:.1f} ms"
        if is_main():
            log.info(text)

    def _spread(self):
        """Largest difference of the processes' own losses in the window."""
        own = np.float32(np.mean([v for _, v in self.losses]))
        every = multihost_utils.process_allgather(own)
        return float(every.max() - every.min())

    def _slowest(self):
        own = np.float32(np.median(self.seconds))
        return float(multihost_utils.process_allgather(own).max())
