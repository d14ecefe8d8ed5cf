"""Reduce the colours of a (synthetic) picture with Lloyd's algorithm under MPI."""
import argparse

import numpy as np
from mpi4py import MPI


def picture_rows(first, last, width, seed):
    """Rows first..last of a noisy picture made of three coloured bands."""
    bands = np.array([[0.9, 0.2, 0.1], [0.1, 0.7, 0.3], [0.2, 0.3, 0.8]])
    rows = []
    for y in range(first, last):
        rng = np.random.default_rng([seed, y])
        which = (np.arange(width) * 3 // width + y // 8) % 3
        rows.append(bands[which] + 0.05 * rng.standard_normal((width, 3)))
    return np.array(rows).reshape(-1, 3)


class Palette:
    def __init__(self, comm, k, tol=1e-6, max_iter=30):
        self.comm = comm
        self.k = k
        self.tol = tol
        self.max_iter = max_iter
        self.centres = None
        self.inertia = None

    def _start(self, pixels, seed):
        pick = np.random.default_rng(seed).choice(len(pixels), self.k, replace=False)
        centres = np.ascontiguousarray(pixels[pick])
        self.comm.Bcast(centres, root=0)
        return centres

    def assign(self, pixels):
        d2 = ((pixels[:, None, :] - self.centres[None]) ** 2).sum(-1)
        return d2.argmin(1), d2.min(1)

    def _accumulate(self, pixels, labels):
        sums = np.zeros((self.k, 3))
        np.add.at(sums, labels, pixels)
        counts = np.bincount(labels, minlength=self.k)
        self.comm.Allreduce(MPI.IN_PLACE, sums, op=MPI.SUM)
        self.comm.allreduce(counts, op=MPI.SUM)
        return sums, counts

    def fit(self, pixels, seed=0):
        self.centres = self._start(pixels, seed)
        for _ in range(self.max_iter):
            labels, dist = self.assign(pixels)
            sums, counts = self._accumulate(pixels, labels)
            new = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], self.centres)
            moved = self.comm.allreduce(float(np.abs(new - self.centres).max()), op=MPI.MAX)
            self.centres = new
            self.inertia = self.comm.allreduce(float(dist.sum()), op=MPI.SUM)
            if moved < self.tol:
                break
        return self


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--height", type=int, default=32)
    ap.add_argument("--width", type=int, default=48)
    ap.add_argument("-k", type=int, default=3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    edges = [args.height * r // comm.size for r in range(comm.size + 1)]
    pixels = picture_rows(edges[comm.rank], edges[comm.rank + 1], args.width, args.seed)

    palette = Palette(comm, args.k).fit(pixels, args.seed)
    if comm.rank == 0:
        for c in sorted(palette.centres.tolist()):
            print("  ".join(f"{v:.3f}" for v in c))
        print(f"inertia {palette.inertia:.4f}")


if __name__ == "__main__":
    main()
