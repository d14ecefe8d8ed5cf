import numpy as np
from mpi4py import MPI

N = 125_002


def bounds(rank, size):
    share = N // size
    start = rank * share
    stop = N if rank == size - 1 else start + share
    return start, stop


def solve(start, stop):
    x = np.arange(start, stop) / N
    return np.sin(np.pi * x) / (1.0 + x)


def collect(comm, part):
    if comm.rank != 0:
        comm.Gatherv(part, None, root=0)
        return None
    whole = np.zeros(N)
    counts = [N // comm.size] * comm.size
    displs = [r * (N // comm.size) for r in range(comm.size)]
    comm.Gatherv(part, [whole, counts, displs, MPI.DOUBLE], root=0)
    return whole


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    start, stop = bounds(comm.rank, comm.size)
    whole = collect(comm, solve(start, stop))
    if whole is not None:
        print(f"integral {whole.mean():.6f}, last value {whole[-1]:.4e}")
