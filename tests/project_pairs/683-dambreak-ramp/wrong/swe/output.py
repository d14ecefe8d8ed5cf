import json


class HistoryWriter:
    """Line-per-step history, kept by the root; an empty path turns it off."""

    def __init__(self, domain, path):
        self.domain = domain
        self.path = path
        self.handle = None

    def __enter__(self):
        if self.path and self.domain.root:
            self.handle = open(self.path, "w")
        return self

    def record(self, time, dt, model):
        if not self.path:
            return
        mass = self.domain.global_sum(model.mass())
        if self.handle:
            self.handle.write(json.dumps({"t": time, "dt": dt, "mass": mass}) + "\n")

    def __exit__(self, *exc):
        if self.handle:
            self.handle.close()
        return False
