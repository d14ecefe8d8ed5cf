"""Row equilibration of a block-distributed dense matrix."""
import numpy as np
from mpi4py import MPI

from blockmat.grid import ProcessGrid
from blockmat.ops import equilibrate, local_block

N = 64


def main():
    grid = ProcessGrid(MPI.COMM_WORLD)
    a = local_block(grid, N)
    b = equilibrate(grid, a)

    sums = np.abs(b).sum(axis=1)
    worst = grid.world.allreduce(float(np.abs(grid.sum_over_row(sums) - 1.0).max()), op=MPI.MAX)
    total = grid.world.allreduce(float(np.abs(b).sum()), op=MPI.SUM)
    if grid.world.rank == 0:
        print(f"grid {grid.nrow} x {grid.ncol}")
        print(f"sum of all entries {total:.6f} (should be {N})")
        print(f"largest deviation of a row sum {worst:.2e}")
        assert abs(total - N) < 1e-8, "matrix is not equilibrated"


if __name__ == "__main__":
    main()
