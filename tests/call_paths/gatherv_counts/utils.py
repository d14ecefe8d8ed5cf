import numpy as np
from mpi4py import MPI


def collect(comm, local, counts, root=0):
    out = np.zeros(sum(counts)) if comm.Get_rank() == root else None
    comm.Gatherv(local, [out, counts] if out is not None else None, root=root)
    return out
