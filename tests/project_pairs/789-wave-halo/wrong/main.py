"""Pressure wave in a tall duct; the columns are divided among the ranks."""
import argparse

import numpy as np
from mpi4py import MPI

from halo import ColumnHalo
from wave import Strip, serial


def initial(rows, cols):
    y = np.linspace(-1, 1, rows)[:, None]
    x = np.arange(cols)[None, :]
    return np.exp(-8 * y**2) * np.exp(-0.08 * (x - 0.4 * cols) ** 2)


def columns(cols, rank, size):
    edges = [cols * r // size for r in range(size + 1)]
    return slice(edges[rank], edges[rank + 1])


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--rows", type=int, default=20_000)
    ap.add_argument("--cols", type=int, default=32)
    ap.add_argument("--steps", type=int, default=25)
    ap.add_argument("--c2", type=float, default=0.3)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    start = initial(args.rows, args.cols)
    mine = columns(args.cols, comm.rank, comm.size)
    strip = Strip(start[:, mine], ColumnHalo(comm, args.rows), args.c2)
    for _ in range(args.steps):
        strip.step()

    expected = serial(start, args.c2, args.steps)[:, mine]
    worst = comm.reduce(float(np.abs(strip.inner - expected).max()), op=MPI.MAX, root=0)
    if comm.rank == 0:
        print(f"largest deviation from the serial run {worst:.2e}")
        print("PASS" if worst < 1e-11 else "FAIL")


if __name__ == "__main__":
    main()
