import json
import sys
import time


class Report:
    """Collects named results; text output on the first rank only."""

    def __init__(self, comm, stream=sys.stdout):
        self.comm = comm
        self.stream = stream
        self.items = {}
        self.started = time.time()

    @property
    def is_writer(self):
        return self.comm.rank == 0

    def header(self, title, ds):
        if self.is_writer:
            self.line(f"# {title}")
            self.line(f"# {ds.describe()}")

    def line(self, text):
        print(text, file=self.stream, flush=True)

    def add(self, name, value):
        self.items[name] = value

    def close(self):
        if self.is_writer:
            for name, value in self.items.items():
                self.line(f"{name:<24s} {json.dumps(value)}")
            self.line(f"# finished: {len(self.items)} results")
