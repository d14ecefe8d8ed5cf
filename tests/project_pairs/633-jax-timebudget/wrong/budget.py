"""Wall clock budget, for queues with a hard time limit."""
import time


class TimeBudget:
    def __init__(self, seconds, reserve=0.05):
        self.start = time.monotonic()
        self.limit = seconds * (1.0 - reserve)

    @property
    def elapsed(self):
        return time.monotonic() - self.start

    def exhausted(self):
        """True when it is time to stop."""
        return self.elapsed > self.limit

    def report(self):
        return f"{self.elapsed:.1f} s of {self.limit:.1f} s used"
