"""A thread watches the largest value while the program computes."""
import threading
import numpy as np
from mpi4py import MPI
from utils import reduce_max

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
watching = comm.Dup()
values = np.arange(5.0) * (rank + 1)
seen = []


def watch(rounds):
    for _ in range(rounds):
        seen.append(reduce_max(watching, values.max()))
    last = reduce_max(watching, values.min())
    if rank == 0:
        seen.append(last)


thread = threading.Thread(target=watch, args=(3,))
thread.start()
total = comm.allreduce(float(values.sum()))
thread.join()
print(rank, total, seen)
