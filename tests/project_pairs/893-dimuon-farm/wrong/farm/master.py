from collections import deque

import numpy as np
from mpi4py import MPI

from .messages import Tag


class Spectrum:
    """Collects what the workers send back."""

    def __init__(self, bins):
        self.counts = np.zeros(bins, dtype=np.int64)
        self.accepted = 0
        self.numbers = []

    def add(self, result):
        self.counts += result.counts
        self.accepted += result.accepted
        self.numbers.append(result.number)


class Master:
    def __init__(self, comm, bins):
        self.comm = comm
        self.workers = list(range(1, comm.size))
        self.spectrum = Spectrum(bins)
        self.queue = deque()
        self.busy = {}

    def _assign(self, worker):
        job = self.queue.popleft()
        self.busy[worker] = job.number
        self.comm.send(job, dest=worker, tag=Tag.JOB)

    def _collect(self):
        status = MPI.Status()
        result = self.comm.recv(source=MPI.ANY_SOURCE, tag=Tag.RESULT, status=status)
        del self.busy[status.source]
        self.spectrum.add(result)
        return status.source

    def _stop_all(self):
        for worker in self.workers:
            self.comm.send(None, dest=worker, tag=Tag.STOP)

    def run(self, jobs):
        self.queue.extend(jobs)
        for worker in self.workers:
            if self.queue:
                self._assign(worker)
        while self.queue:
            worker = self._collect()
            if self.queue:
                self._assign(worker)
        self._stop_all()
        return self.spectrum
