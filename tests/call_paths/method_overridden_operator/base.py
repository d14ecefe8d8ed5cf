import numpy as np
from mpi4py import MPI


class Solver:
    def __init__(self, comm):
        self.comm = comm

    def dot(self, x, y):
        return float(self.comm.allreduce(float(x @ y), op=MPI.SUM))

    def largest(self, x):
        out = np.zeros_like(x)
        self.comm.Allreduce(x, out, op=MPI.MAX)
        return float(out.max())

    def run(self, x, steps):
        for _ in range(steps):
            x = self.step(x)
        return x
