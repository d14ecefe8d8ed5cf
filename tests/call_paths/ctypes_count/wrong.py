"""Average gradients with a function written in C."""
import ctypes
from pathlib import Path
import numpy as np
from mpi4py import MPI

library = ctypes.CDLL(str(Path(__file__).with_name("libhelper.so")))
comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def reduce_mean(x):
    x = x.copy()
    pointer = x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    library.reduce_mean(comm.py2f(), pointer, len(x))
    return x


weights = np.zeros(5)
for step in range(3):
    gradient = weights - np.arange(5.0) - rank
    weights -= 0.5 * reduce_mean(gradient)
penalty = reduce_mean(weights[weights > 1.0 + rank])  # change
print(rank, weights, penalty)
