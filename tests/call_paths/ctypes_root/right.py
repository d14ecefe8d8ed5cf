"""The ranks take turns in choosing parameters; they are shared in C."""
import ctypes
from pathlib import Path
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
library = ctypes.CDLL(str(Path(__file__).with_name("libhelper.so")))


def share(x, root):
    x = np.array(x, dtype=float)
    library.share(comm.py2f(), x.ctypes.data_as(ctypes.c_void_p), x.size, root)
    return x


def choose(turn):
    rate = share([0.1 * rank], turn % size)
    scale = share([1.0 + rank, 2.0], (turn + 1) % size)
    return rate * scale


print(rank, [choose(turn).round(3).tolist() for turn in range(2)])
