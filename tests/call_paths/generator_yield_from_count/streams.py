import numpy as np
from mpi4py import MPI


def averages(comm, parts):
    """The mean over the ranks of each part."""
    for part in parts:
        out = np.empty_like(part)
        comm.Allreduce(part, out, op=MPI.SUM)
        yield out / comm.Get_size()
