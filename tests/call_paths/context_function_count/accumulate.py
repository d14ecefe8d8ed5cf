from contextlib import contextmanager
import numpy as np
from mpi4py import MPI


@contextmanager
def accumulated(comm, bins):
    """Bins that are summed over the ranks at the end of the block."""
    local = np.zeros(bins)
    yield local
    total = np.empty_like(local)
    comm.Allreduce(local, total, op=MPI.SUM)
    local[:] = total
