import numpy as np
from mpi4py import MPI


class Processes:
    def __init__(self, comm: MPI.Comm | None = None):
        self._comm = comm if comm is not None else MPI.COMM_WORLD
        self.number = self._comm.rank
        self.count = self._comm.size
        self.master = self.number == 0

    def broadcast(self, array: np.ndarray) -> None:
        self._comm.Bcast([array, MPI.DOUBLE], root=0)

    def total(self, value: float) -> float:
        return self._comm.allreduce(value, op=MPI.SUM)

    def share(self, n: int) -> slice:
        return slice(self.number, n, self.count)
