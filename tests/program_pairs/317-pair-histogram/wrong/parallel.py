"""Small helpers around the communicator."""
import numpy as np
from mpi4py import MPI


def share(n, comm):
    """Indices of my part of n items, dealt out like cards."""
    return np.arange(comm.rank, n, comm.size)


def sum_to_root(comm, array, root=0):
    """Add up array over all processes into the array of the root."""
    comm.Reduce(MPI.IN_PLACE, array, op=MPI.SUM, root=root)
    return array


def announce(comm, text):
    if comm.rank == 0:
        print(text, flush=True)
