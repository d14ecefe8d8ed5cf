import numpy as np
from mpi4py import MPI

COMM = MPI.COMM_WORLD
RANK = COMM.Get_rank()


def make_grid():
    inner = np.linspace(0.0, 1.0, 60, endpoint=False)
    outer = np.geomspace(1.0, 100.0, 36)
    return np.concatenate([inner, outer])


def slab(n, rank, size):
    base, rest = divmod(n, size)
    start = rank * base + min(rank, rest)
    return start, start + base + (1 if rank < rest else 0)


def main():
    grid = make_grid() if RANK == 0 else None
    n = grid.size
    points = np.empty(n)
    if RANK == 0:
        points[:] = grid
    COMM.Bcast(points, root=0)

    start, stop = slab(n, RANK, COMM.Get_size())
    density = np.exp(-points[start:stop]) * 4.0 * np.pi * points[start:stop] ** 2
    mass = COMM.reduce(float(density.sum()), op=MPI.SUM, root=0)
    if RANK == 0:
        print(f"{n} points, weight {mass:.4f}")


if __name__ == "__main__":
    main()
