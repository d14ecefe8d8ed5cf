"""Relaxation which reports its norm; the norm is computed in C."""
import ctypes
from pathlib import Path
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
norm = ctypes.CDLL(str(Path(__file__).with_name("libhelper.so"))).square_norm
norm.restype = ctypes.c_double
norm.argtypes = [ctypes.c_int, np.ctypeslib.ndpointer(np.float64), ctypes.c_int]

field = np.linspace(1.0, 2.0, 6) + rank
for step in range(3):
    field /= norm(comm.py2f(), field, len(field)) ** 0.5
    field += 0.1
    square = norm(comm.py2f(), field, len(field))
    if rank == 0:
        print(step, square)
highest = comm.allgather(round(float(field.max()), 3))
print(rank, highest)
