"""Halo of a grid, exchanged by a library in C."""
import ctypes
from pathlib import Path
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
library = ctypes.CDLL(str(Path(__file__).with_name("libhelper.so")))


def send_to(x, dest):
    x = np.ascontiguousarray(x)
    library.send_to(comm.py2f(), x.ctypes.data_as(ctypes.c_void_p), x.size, dest)


def receive_from(shape, source):
    out = np.empty(shape)
    library.receive_from(comm.py2f(), out.ctypes.data_as(ctypes.c_void_p), out.size, source)
    return out


grid = np.arange(12.0).reshape(3, 4) + 100 * rank
if rank == 0:
    send_to(grid[:, -2:], 1)
else:
    grid[:, 0] = receive_from(3, 0)  # change
print(rank, grid[:, 0])
