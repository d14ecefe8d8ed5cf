import sys


class Reporter:
    """Mixin that lets one process speak for the whole run."""

    def __init__(self, world, stream=sys.stdout):
        self.comm = world
        self.stream = stream

    def say(self, text):
        if self.comm.rank == 0:
            print(text, file=self.stream, flush=True)

    def collect(self, value):
        """Values of all processes on the speaker, None elsewhere."""
        return self.comm.gather(value, root=0)
