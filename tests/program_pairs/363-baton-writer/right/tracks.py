"""Write particle tracks that left the detector, in the order of the ranks."""
import os

import numpy as np
from mpi4py import MPI

from tokenio import TokenFile


def make_tracks(rank, n=300):
    """Straight tracks; the opening angle shrinks with the rank."""
    rng = np.random.default_rng(rank)
    spread = 0.9 / (1 + 2 * (rank % 2) * 10)
    angle = rng.uniform(-spread, spread, n)
    entry = rng.uniform(-1, 1, n)
    exit_point = entry + 4.0 * np.tan(angle)
    return [f"{rank} {k} {angle[k]:.5f} {exit_point[k]:.4f}"
            for k in range(n) if abs(exit_point[k]) > 2.5]


comm = MPI.COMM_WORLD
out = TokenFile("tracks.dat", comm)
lines = make_tracks(comm.rank)
out.write(lines)

counts = comm.gather(len(lines), root=0)
if comm.rank == 0:
    with open("tracks.dat") as f:
        ranks = [int(line.split()[0]) for line in f]
    print("tracks of the ranks", counts, "- in the file", len(ranks))
    assert ranks == sorted(ranks) and len(ranks) == sum(counts)
    os.remove("tracks.dat")
