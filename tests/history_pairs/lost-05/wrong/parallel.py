import numpy as np
from mpi4py import MPI


def average(comm: MPI.Comm, array: np.ndarray) -> np.ndarray:
    """The mean of the arrays of all ranks."""
    result = np.empty_like(array)
    comm.Allreduce(array, result, op=MPI.SUM)
    return result / comm.size
