import numpy as np


def offsets_of(comm, length):
    """Where the part of each rank starts in the list of all parts; one more entry for the end."""
    lengths = comm.gather(length, root=0)
    if comm.rank == 0:
        return np.concatenate([[0], np.cumsum(lengths)])
