"""Power iteration with a norm that the solver chooses."""
import numpy as np
from mpi4py import MPI
from base import Solver


class Power(Solver):
    def step(self, x):
        y = self.matrix * x
        size = self.largest(np.abs(y)) if x.max() > 1.0 else self.dot(y, y) ** 0.5  # change
        return y / size


comm = MPI.COMM_WORLD
rank = comm.Get_rank()
solver = Power(comm)
solver.matrix = np.linspace(1.0, 2.0, 4) + rank
print(rank, solver.run(np.full(4, 0.4 + 0.4 * rank), 4).round(4))
