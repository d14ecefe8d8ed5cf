"""Wall clock budget, for queues with a hard time limit."""
import time

import numpy as np
from jax.experimental import multihost_utils


class TimeBudget:
    def __init__(self, seconds, reserve=0.05):
        self.start = time.monotonic()
        self.limit = seconds * (1.0 - reserve)

    @property
    def elapsed(self):
        return time.monotonic() - self.start

    def exhausted(self):
        """True when it is time to stop."""
        over = np.asarray(self.elapsed > self.limit)
        return bool(multihost_utils.broadcast_one_to_all(over))

    def report(self):
        return f"{self.elapsed:.1f} s of {self.limit:.1f} s used"
