import numpy as np
from mpi4py import MPI

from .protocol import RESULT, STOP


class Worker:
    """Computes tiles until told to stop; results leave in the background."""

    def __init__(self, comm, tiling, kernel, master=0):
        self.comm = comm
        self.tiling = tiling
        self.kernel = kernel
        self.master = master
        self.values = np.empty((tiling.edge, tiling.edge))
        self.outgoing = MPI.REQUEST_NULL
        self.done = 0

    def next_tile(self):
        status = MPI.Status()
        number = self.comm.recv(source=self.master, status=status)
        return None if status.tag == STOP else self.tiling[number]

    def ship(self, tile):
        self.outgoing = self.comm.Isend(self.values, dest=self.master, tag=RESULT + tile.number)

    def settle(self):
        """Wait until the previous result has left."""
        self.outgoing.Wait()

    def run(self):
        while True:
            tile = self.next_tile()
            if tile is None:
                break
            self.kernel.evaluate(tile, self.values)
            self.settle()
            self.ship(tile)
            self.done += 1
        self.settle()
        return self.done
