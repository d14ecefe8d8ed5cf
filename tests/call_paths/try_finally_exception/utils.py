import numpy as np
from mpi4py import MPI


def reduce_mean(comm, x):
    out = np.empty_like(x)
    comm.Allreduce(x, out, op=MPI.SUM)
    return out / comm.Get_size()


def close_log(comm, lines):
    everything = comm.gather(lines, root=0)
    if comm.Get_rank() == 0:
        print(everything)
