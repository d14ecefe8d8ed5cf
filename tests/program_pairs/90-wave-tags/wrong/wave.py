import sys

import numpy as np
from mpi4py import MPI

import halo


def initial_condition(x):
    return np.where(np.abs(x - 0.5) < 0.1, np.cos(5 * np.pi * (x - 0.5)) ** 2, 0.0)


def main(argv):
    n_steps = int(argv[1]) if len(argv) > 1 else 200
    nx = 301
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size

    pieces = np.array_split(np.linspace(0.0, 1.0, nx), size)
    x = pieces[rank]
    left = rank - 1 if rank > 0 else None
    right = rank + 1 if rank < size - 1 else None

    c2 = 0.9 ** 2
    now = np.zeros(x.size + 2)
    now[1:-1] = initial_condition(x)
    before = now.copy()

    for step in range(n_steps):
        halo.update(comm, now, left, right, step)
        after = np.zeros_like(now)
        after[1:-1] = (2 * now[1:-1] - before[1:-1]
                       + c2 * (now[2:] - 2 * now[1:-1] + now[:-2]))
        if left is None:
            after[1] = 0.0
        if right is None:
            after[-2] = 0.0
        before, now = now, after

    energy = comm.reduce(float(np.sum(now[1:-1] ** 2)), root=0)
    if rank == 0:
        print("sum of squares after %d steps: %.10f" % (n_steps, energy))


if __name__ == "__main__":
    main(sys.argv)
