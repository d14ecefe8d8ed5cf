import numpy as np
from mpi4py import MPI

from checkpoint import latest_epoch, prepare, save_epoch

comm = MPI.COMM_WORLD


def fit(epochs):
    start = 0
    if comm.rank == 0:
        start = latest_epoch()
        print("from epoch", start, "to", epochs)
    start = comm.bcast(start, root=0)
    value = 0.0
    for epoch in range(start, epochs):
        local = np.exp(-0.1 * epoch) * (1 + comm.rank)
        value = comm.allreduce(float(local), op=MPI.SUM) / comm.size
        if comm.rank == 0:
            save_epoch(epoch + 1, value)
    return value


if comm.rank == 0:
    prepare()
first = fit(5)
second = fit(12)
if comm.rank == 0:
    print("loss fell:", second < first)
