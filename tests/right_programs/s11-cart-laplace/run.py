from contextlib import closing

import numpy as np
from mpi4py import MPI

from plate import Plate


def solve(comm, n, tolerance=1e-6):
    with closing(Plate(comm, n)) as plate:
        sweeps = plate.settle(tolerance)
        return sweeps, comm.bcast(plate.assemble(), root=0)


def main():
    comm = MPI.COMM_WORLD
    for n in (12, 17):
        sweeps, whole = solve(comm, n)
        reference_sweeps, reference = solve(MPI.COMM_SELF, n)
        assert sweeps == reference_sweeps
        assert not np.isnan(whole).any() and np.allclose(whole, reference, atol=1e-13)
        if comm.rank == 0:
            print(f"n={n}: {sweeps} sweeps, centre {whole[n // 2, n // 2]:.8f}")


if __name__ == "__main__":
    main()
