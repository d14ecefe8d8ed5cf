"""Find over-dense clumps in a particle box and write a binary catalogue."""
import os
import sys

import numpy as np
from mpi4py import MPI

RECORD = np.dtype([("id", "i8"), ("x", "f8"), ("y", "f8"), ("n", "i8")])
CELLS = 16


def particles(rank, size):
    rng = np.random.default_rng(40 + rank)
    y0, y1 = rank / size, (rank + 1) / size
    pts = [np.column_stack([rng.random(3000), rng.uniform(y0, y1, 3000)])]
    # clumps exist in the lower half of the box only
    for _ in range(4):
        c = np.array([rng.uniform(0.1, 0.9), rng.uniform(y0, y1)])
        if c[1] < 0.5:
            pts.append(c + 0.003 * rng.normal(size=(400, 2)))
    return np.concatenate(pts)


def find_clumps(pts, rank, size, threshold):
    lo, hi = rank / size, (rank + 1) / size
    h, ex, ey = np.histogram2d(pts[:, 0], pts[:, 1], bins=(CELLS, CELLS),
                               range=((0, 1), (lo, hi)))
    hits = np.argwhere(h > threshold)
    out = np.zeros(len(hits), dtype=RECORD)
    for k, (i, j) in enumerate(hits):
        out[k] = (0, 0.5 * (ex[i] + ex[i + 1]), 0.5 * (ey[j] + ey[j + 1]), h[i, j])
    return out


def write_catalogue(comm, path, clumps):
    first = comm.exscan(len(clumps)) or 0
    clumps["id"] = first + np.arange(len(clumps))
    fh = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
    fh.Set_size(0)
    offset = first * RECORD.itemsize
    fh.Write_at_all(offset, clumps.view(np.uint8))
    fh.Close()


def main():
    comm = MPI.COMM_WORLD
    path = sys.argv[1] if len(sys.argv) > 1 else "clumps.bin"
    pts = particles(comm.rank, comm.size)
    clumps = find_clumps(pts, comm.rank, comm.size, threshold=100)
    write_catalogue(comm, path, clumps)
    per_rank = comm.gather(len(clumps), root=0)
    if comm.rank == 0:
        cat = np.fromfile(path, dtype=RECORD)
        print(f"{os.path.basename(path)}: {len(cat)} clumps, by rank {per_rank}")
        print("ids consecutive:", bool((cat["id"] == np.arange(len(cat))).all()))


if __name__ == "__main__":
    main()
