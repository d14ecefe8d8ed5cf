"""Hits in the six planes of a detector; each plane is simulated by its owner."""

import numpy as np
from mpi4py import MPI

from planes import read_all, share

PLANES = 6


def main() -> None:
    comm = MPI.COMM_WORLD
    mine = share(PLANES, comm.rank, comm.size)
    hits = np.zeros(len(mine), dtype=np.int64)
    for slot, plane in enumerate(mine):
        rng = np.random.default_rng(plane)
        hits[slot] = rng.poisson(100.0 * np.exp(-0.3 * plane))
    table = read_all(comm, PLANES, hits)
    if comm.rank == 0:
        print("hits per plane", table.tolist())


if __name__ == "__main__":
    main()
