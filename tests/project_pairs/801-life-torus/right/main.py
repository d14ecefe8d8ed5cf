"""Conway's Game of Life on a torus. The rows are shared out over the processes.

usage: mpirun -n 2 python main.py [generations]
"""
import sys

import numpy as np
from mpi4py import MPI

ROWS, COLS = 48, 64

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
north = (rank - 1) % size
south = (rank + 1) % size


def start_world():
    """Random soup, the same on every process."""
    rng = np.random.default_rng(7)
    return (rng.random((ROWS, COLS)) < 0.3).astype(np.int8)


def swap_edges(cells):
    """Fill the two extra rows of the block from the neighbours."""
    reqs = [
        comm.Isend(cells[1], dest=north, tag=1),
        comm.Isend(cells[-2], dest=south, tag=2),
        comm.Irecv(cells[0], source=north, tag=2),
        comm.Irecv(cells[-1], source=south, tag=1),
    ]
    MPI.Request.Waitall(reqs)


def next_generation(cells):
    neigh = np.zeros((cells.shape[0] - 2, COLS), dtype=np.int8)
    for dy in (0, 1, 2):
        band = cells[dy:dy + neigh.shape[0]]
        for dx in (-1, 0, 1):
            if dy == 1 and dx == 0:
                continue
            neigh += np.roll(band, dx, axis=1)
    alive = cells[1:-1] == 1
    new = cells.copy()
    new[1:-1] = (neigh == 3) | (alive & (neigh == 2))
    return new


def main():
    generations = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    if ROWS % size:
        sys.exit("number of rows must be a multiple of the number of processes")
    n = ROWS // size
    cells = np.zeros((n + 2, COLS), dtype=np.int8)
    cells[1:-1] = start_world()[rank * n:(rank + 1) * n]

    for g in range(generations):
        swap_edges(cells)
        cells = next_generation(cells)
        if (g + 1) % 20 == 0:
            alive = comm.reduce(int(cells[1:-1].sum()), op=MPI.SUM, root=0)
            if rank == 0:
                print(f"generation {g + 1:3d}: {alive} cells alive")


if __name__ == "__main__":
    main()
