"""A table that only rank 0 has, although each rank integrates its share of the rows.

The name is bound under the test of the rank. The other ranks raise `UnboundLocalError`, and rank 0 waits for them in
`allreduce`. `jaxmpi-lint --fix --unsafe-fixes` broadcasts the table after the test.

    mpirun -n 4 timeout 60 python examples/root_only_name/wrong.py
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

    if rank == 0:
        table = spectrum(ROWS)

    mine = table[rank::size, 1]  #! JM124
    total = comm.allreduce(float(mine.sum()), op=MPI.SUM)
    if rank == 0:
        print(f"{size} ranks: area {total / ROWS:.5f}, exact {np.pi:.5f}")


if __name__ == "__main__":
    main()
