"""Messages between the collector and the modelling processes."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

JOB, HEADER, TRACES = 1, 2, 3


@dataclass(frozen=True)
class Header:
    shot: int
    worker: int
    shape: tuple
    peak: float


class Worker:
    def __init__(self, comm, layer, collector=0):
        self.comm = comm
        self.layer = layer
        self.collector = collector

    def jobs(self):
        while True:
            shot = self.comm.recv(source=self.collector, tag=JOB)
            if shot is None:
                return
            yield shot

    def serve(self):
        for shot in self.jobs():
            data = self.layer.record(shot)
            head = Header(shot.number, self.comm.rank, data.shape, float(np.abs(data).max()))
            self.comm.send(head, dest=self.collector, tag=HEADER)
            self.comm.Send(data, dest=self.collector, tag=TRACES)


class Collector:
    def __init__(self, comm):
        self.comm = comm
        self.workers = [r for r in range(comm.size) if r != comm.rank]

    def _traces(self, head):
        data = np.empty(head.shape)
        self.comm.Recv(data, source=MPI.ANY_SOURCE, tag=TRACES)
        return data

    def round(self, shots):
        """Hand out the shots and give (header, traces) in shot order."""
        for worker, shot in zip(self.workers, shots):
            self.comm.send(shot, dest=worker, tag=JOB)
        heads = [self.comm.recv(source=MPI.ANY_SOURCE, tag=HEADER) for _ in shots]
        for head in sorted(heads, key=lambda h: h.shot):
            yield head, self._traces(head)

    def release(self):
        for worker in self.workers:
            self.comm.send(None, dest=worker, tag=JOB)
