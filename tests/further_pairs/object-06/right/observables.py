import numpy as np
from mpi4py import MPI


class Observable:
    """A number that is derived from the spins of one rank."""

    name = "observable"

    def value(self, spins: np.ndarray) -> float:
        raise NotImplementedError


class Acceptance(Observable):
    name = "acceptance"

    def __init__(self) -> None:
        self.tried = self.accepted = 0

    def value(self, spins: np.ndarray) -> float:
        return self.accepted / max(self.tried, 1)


class Magnetisation(Observable):
    name = "magnetisation"

    def __init__(self, comm: MPI.Comm) -> None:
        self.comm = comm

    def value(self, spins: np.ndarray) -> float:
        sums = self.comm.allreduce(np.array([spins.sum(), spins.size], dtype=float))
        return float(sums[0] / sums[1])
