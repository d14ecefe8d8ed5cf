"""A scheduler for generators that yield the requests they wait for."""
from collections import ChainMap, OrderedDict

from mpi4py import MPI


class Scheduler:
    def __init__(self):
        self.waiting = OrderedDict()
        self.results = {}

    def spawn(self, name, task):
        self._step(name, task, None)

    def _step(self, name, task, value):
        """Run a task until it wants to wait for a request or has ended."""
        while True:
            try:
                wanted = task.send(value)
            except StopIteration as stop:
                self.results[name] = stop.value
                return
            match wanted:
                case MPI.Request() as request:
                    self.waiting[name] = (task, request)
                    return
                case ("ready", value):
                    continue
                case other:
                    raise TypeError(f"{name} yielded {other!r}")

    def run(self):
        while self.waiting:
            names, pairs = zip(*self.waiting.items())
            index, message = MPI.Request.waitany([request for _, request in pairs])
            task, _ = self.waiting.pop(names[index])
            self._step(names[index], task, message)
        return dict(ChainMap(self.results))
