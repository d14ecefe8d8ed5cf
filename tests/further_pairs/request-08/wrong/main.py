import numpy as np
from mpi4py import MPI

from shift import Shift


def main():
    grid = MPI.COMM_WORLD
    shift = Shift(grid, 10)
    vector = np.arange(10.0) + 100 * grid.rank
    total = vector.copy()
    for _ in range(grid.size - 1):
        vector = shift(vector)
        total += vector
    shift.free()
    expected = grid.size * np.arange(10.0) + 100 * sum(range(grid.size))
    error = grid.reduce(float(np.abs(total - expected).max()), op=MPI.MAX, root=0)
    if grid.rank == 0:
        print("ring sum, error", error)


main()
