"""Cross-match detections with a reference catalogue on the sphere."""
import argparse
import sys

import numpy as np
from mpi4py import MPI

COLUMNS = ("ra", "dec")


def read_reference(n, seed=11):
    """Reference catalogue as stored by the survey: two float32 columns."""
    rng = np.random.default_rng(seed)
    ra = rng.uniform(0.0, 360.0, n)
    dec = np.degrees(np.arcsin(rng.uniform(-1.0, 1.0, n)))
    return np.stack([ra, dec], axis=1).astype(np.float32)


def detections(reference_size, rank, size, seed=11):
    ref = read_reference(reference_size, seed)
    rng = np.random.default_rng(99)
    jitter = rng.normal(scale=2e-3, size=ref.shape)
    moved = (ref + jitter)[::3]
    return np.array_split(moved, size)[rank]


def share_reference(comm, n):
    if comm.rank == 0:
        catalogue = read_reference(n)
    else:
        catalogue = np.zeros((n, len(COLUMNS)), dtype=np.float32)
    comm.Bcast(catalogue, root=0)
    return catalogue


def unit_vectors(radec):
    ra, dec = np.radians(radec.astype(float)).T
    return np.stack([np.cos(dec) * np.cos(ra), np.cos(dec) * np.sin(ra), np.sin(dec)], axis=1)


def match(points, catalogue, radius_deg):
    cosines = unit_vectors(points) @ unit_vectors(catalogue).T
    best = cosines.max(axis=1)
    return int(np.count_nonzero(best >= np.cos(np.radians(radius_deg))))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--sources", type=int, default=900)
    p.add_argument("--radius", type=float, default=0.05)
    opts = p.parse_args()
    comm = MPI.COMM_WORLD

    mine = detections(opts.sources, comm.rank, comm.size)
    catalogue = share_reference(comm, opts.sources)
    found = comm.reduce(match(mine, catalogue, opts.radius), op=MPI.SUM)
    total = comm.reduce(len(mine), op=MPI.SUM)
    if comm.rank == 0:
        print(f"matched {found} of {total} detections")
    return 0


if __name__ == "__main__":
    sys.exit(main())
