import numpy as np
from mpi4py import MPI

from .protocol import RESULT, STOP, WORK


class Sink:
    """Receives finished tiles."""

    def accept(self, tile, values):
        raise NotImplementedError


class MapAssembler(Sink):
    def __init__(self, tiling):
        self.map = np.full((tiling.extent, tiling.extent), np.nan)

    def accept(self, tile, values):
        self.map[tile.slices()] = values


class Contours(Sink):
    """Histogram of the potential with fine bins, for the colour scale."""

    def __init__(self, bins=400):
        self.edges = np.linspace(-3.0, 3.0, bins + 1)
        self.counts = np.zeros(bins, dtype=int)

    def accept(self, tile, values):
        ordered = np.sort(values, axis=None)
        self.counts += np.diff(np.searchsorted(ordered, self.edges))


class Master:
    """Keeps ``ahead`` tiles in the hands of every worker."""

    def __init__(self, comm, tiling, sinks, ahead=2):
        self.comm = comm
        self.tiling = tiling
        self.sinks = sinks
        self.ahead = ahead

    def run(self):
        comm, edge = self.comm, self.tiling.edge
        waiting = list(range(len(self.tiling)))[::-1]
        for _ in range(self.ahead):
            for worker in range(1, comm.size):
                if waiting:
                    comm.send(waiting.pop(), dest=worker, tag=WORK)
        values = np.empty((edge, edge))
        status = MPI.Status()
        for _ in range(len(self.tiling)):
            comm.Recv(values, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
            if waiting:
                comm.send(waiting.pop(), dest=status.source, tag=WORK)
            tile = self.tiling[status.tag - RESULT]
            for sink in self.sinks:
                sink.accept(tile, values)
        for worker in range(1, comm.size):
            comm.send(None, dest=worker, tag=STOP)
