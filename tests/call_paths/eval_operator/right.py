"""Evaluate formulas on a distributed array."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def reduce(x, op):
    out = np.zeros(1)
    comm.Allreduce(np.array([float(x)]), out, op=op)
    return float(out[0])


FORMULAS = {"total": "reduce(u.sum(), MPI.SUM)", "peak": "reduce(u.max(), MPI.MAX)"}
u = np.linspace(0.0, 1.0, 5) + rank
total = eval(FORMULAS["total"])
peak = eval(FORMULAS["peak" if total > 3.0 else "total"])
print(rank, total, peak)
