"""A table that rank 0 builds and broadcasts; each rank integrates its share of the rows.

mpirun -n 4 python examples/root_only_name/right.py
"""

import numpy as np
from mpi4py import MPI

ROWS = 1000


def spectrum(rows: int) -> np.ndarray:
    """Frequencies and amplitudes, as a program would read them from a file."""
    frequencies = np.linspace(0.0, 1.0, rows + 1)[:-1] + 0.5 / rows
    return np.stack([frequencies, 4.0 / (1.0 + frequencies**2)], axis=1)


def main() -> None:
    """Sum the amplitudes of the rows of this rank, then those of all ranks."""
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    table = None
    if rank == 0:
        table = spectrum(ROWS)
    table = comm.bcast(table, root=0)

    mine = table[rank::size, 1]
    total = comm.allreduce(float(mine.sum()), op=MPI.SUM)
    if rank == 0:
        print(f"{size} ranks: area {total / ROWS:.5f}, exact {np.pi:.5f}")


if __name__ == "__main__":
    main()
