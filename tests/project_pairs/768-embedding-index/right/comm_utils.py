import numpy as np


def split(items, rank, size):
    """Contiguous share of a list; shares differ by at most one item."""
    base, extra = divmod(len(items), size)
    start = rank * base + min(rank, extra)
    return items[start : start + base + (rank < extra)]


def gather_sizes(comm, array, root=0):
    return comm.gather(array.size, root=root)


def gather_rows(comm, array, root=0):
    """Stack the rows of all ranks on the root; None elsewhere."""
    array = np.ascontiguousarray(array)
    sizes = gather_sizes(comm, array, root)
    n_rows = comm.reduce(len(array), root=root)
    stacked = recvbuf = None
    if comm.rank == root:
        stacked = np.zeros((n_rows,) + array.shape[1:], dtype=array.dtype)
        recvbuf = [stacked, sizes]
    comm.Gatherv(array, recvbuf, root=root)
    return stacked
