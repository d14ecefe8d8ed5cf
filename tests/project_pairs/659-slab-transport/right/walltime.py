import time


class Walltime:
    """Tells when the time budget of the job is used up."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.start = time.monotonic()

    @property
    def used(self):
        return time.monotonic() - self.start

    def expired(self):
        return self.used > self.seconds
