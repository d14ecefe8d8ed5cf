"""Keeps an eye on how far the relaxation has come."""
from mpi4py import MPI


class Watch:
    def __init__(self, comm, tol):
        self.comm = comm
        self.tol = tol
        self.history = []

    def worst(self, change):
        value = self.comm.allreduce(change, op=MPI.MAX)
        self.history.append(value)
        return value

    def settled(self, change):
        return self.worst(change) < self.tol
