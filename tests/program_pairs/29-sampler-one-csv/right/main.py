import argparse
import csv
import math
import pathlib
import random

from mpi4py import MPI


class ChainWriter:
    """Writes one Markov chain as rows (chain, step, x, y)."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self._fh = open(self.path, "w", newline="")
        self._csv = csv.writer(self._fh)
        return self

    def row(self, *values):
        self._csv.writerow(values)

    def __exit__(self, *exc):
        self._fh.close()


def log_density(x, y):
    return -0.5 * (x * x + (y - 0.3 * x * x) ** 2 / 0.25)


def metropolis(chain, steps, rng, sink):
    x = y = 0.0
    lp = log_density(x, y)
    for step in range(steps):
        nx, ny = x + rng.gauss(0, 0.7), y + rng.gauss(0, 0.7)
        nlp = log_density(nx, ny)
        if math.log(rng.random() + 1e-300) < nlp - lp:
            x, y, lp = nx, ny, nlp
        sink.row(chain, step, f"{x:.5f}", f"{y:.5f}")


def merge(outdir):
    rows = []
    for path in sorted(outdir.glob("chain*.csv")):
        with open(path, newline="") as fh:
            rows.extend(csv.reader(fh))
    return rows


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--outdir", type=pathlib.Path, default=pathlib.Path("chains"))
    ap.add_argument("--steps", type=int, default=2000)
    cfg = ap.parse_args()
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()

    if rank == 0:
        cfg.outdir.mkdir(parents=True, exist_ok=True)
        for old in cfg.outdir.glob("chain*.csv"):
            old.unlink()
    comm.Barrier()

    with ChainWriter(cfg.outdir / f"chain{rank:04d}.csv") as sink:
        metropolis(rank, cfg.steps, random.Random(700 + rank), sink)
    comm.Barrier()

    if rank == 0:
        rows = merge(cfg.outdir)
        print(f"{len(rows)} samples of {comm.size} chains, expected "
              f"{comm.size * cfg.steps}")


if __name__ == "__main__":
    main()
