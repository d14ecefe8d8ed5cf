"""Rank 0 hands out work, rank 1 computes."""
import numpy as np
from mpi4py import MPI
from utils import receive_from, send_to

WORK, RESULT = 11, 12
comm = MPI.COMM_WORLD


def manager(parts):
    results = []
    for part in parts:
        send_to(comm, part, 1, tag=RESULT)  # change
        results.append(receive_from(comm, 5, 1, tag=RESULT))
    return results


def worker(count):
    for _ in range(count):
        part = receive_from(comm, 5, 0, tag=WORK)
        send_to(comm, part**2, 0, tag=RESULT)


if comm.Get_rank() == 0:
    print(manager(np.arange(15.0).reshape(3, 5)))
else:
    worker(3)
