#!/usr/bin/env python
"""
Cross-identification statistics of survey tiles.
Tiles are npy files; tiles with problems are reported and left out.
"""
import argparse
import glob
import logging
import os

import numpy as np
from mpi4py import MPI
from scipy.spatial import cKDTree

comm = MPI.COMM_WORLD
log = logging.getLogger("catalog")


class TileError(Exception):
    pass


def read_tile(path):
    arr = np.load(path)
    if arr.ndim != 2 or arr.shape[1] != 2:
        raise TileError("%s: expected (n, 2), got %s" % (path, arr.shape))
    if not np.isfinite(arr).all():
        raise TileError("%s: contains nan" % path)
    return arr


def separation_histogram(arr, bins):
    tree = cKDTree(arr)
    d, _ = tree.query(arr, k=2)
    h, _ = np.histogram(d[:, 1], bins=bins)
    return h


class Accumulator:
    def __init__(self, bins):
        self.bins = bins
        self.hist = np.zeros(len(bins) - 1, dtype=np.int64)
        self.ntiles = 0

    def add_round(self, path):
        """one tile per rank (path may be None at the end of the list)"""
        h = np.zeros_like(self.hist)
        ok = 0
        try:
            if path is not None:
                h += separation_histogram(read_tile(path), self.bins)
                ok = 1
        except TileError as exc:
            log.warning("skipped %s", exc)
            h[:] = 0
        self.hist += comm.allreduce(h, op=MPI.SUM)
        self.ntiles += comm.allreduce(ok, op=MPI.SUM)


def rounds(paths):
    """pad the list so that every rank makes the same number of rounds"""
    n = -(-len(paths) // comm.size)
    for i in range(n):
        k = i * comm.size + comm.rank
        yield paths[k] if k < len(paths) else None


def make_demo(directory, n=7):
    if comm.rank == 0:
        os.makedirs(directory, exist_ok=True)
        rng = np.random.default_rng(0)
        for i in range(n):
            t = rng.random((500, 2))
            if i == 4:
                t[17, 0] = np.nan
            np.save(os.path.join(directory, "tile_%02d.npy" % i), t)
    comm.Barrier()


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--dir", default="tiles")
    ap.add_argument("--make-demo", action="store_true")
    ap.add_argument("--nbins", type=int, default=10)
    args = ap.parse_args()
    logging.basicConfig(format="rank %d: %%(message)s" % comm.rank)

    if args.make_demo:
        make_demo(args.dir)
    paths = None
    if comm.rank == 0:
        paths = sorted(glob.glob(os.path.join(args.dir, "*.npy")))
    paths = comm.bcast(paths)
    acc = Accumulator(np.linspace(0, 0.1, args.nbins + 1))
    for p in rounds(paths):
        acc.add_round(p)
    if comm.rank == 0:
        print("%d of %d tiles used" % (acc.ntiles, len(paths)))
        for lo, n in zip(acc.bins, acc.hist):
            print("%6.3f %6d" % (lo, n))


if __name__ == "__main__":
    main()
