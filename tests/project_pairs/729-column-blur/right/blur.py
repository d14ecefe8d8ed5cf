"""Blur a tall synthetic picture from left to right."""
import numpy as np
from mpi4py import MPI

from strip import Strip, split


def picture(rows, first, last):
    y = np.arange(rows)[:, None]
    x = np.arange(first, last)[None, :]
    return ((3 * x + y) % 17 + (x * x + 5 * y) % 7).astype(float)


def blur(strip, rounds):
    for _ in range(rounds):
        strip.refresh()
        strip.smooth()


def main(rows=2000, cols=30, rounds=6):
    comm = MPI.COMM_WORLD
    first, last = split(cols, comm.size)[comm.rank]
    strip = Strip(comm, picture(rows, first, last))
    blur(strip, rounds)
    weights = np.arange(first, last)
    total, moment = comm.allreduce(
        np.array([strip.pixels.sum(), (strip.pixels * weights).sum()]))
    if comm.rank == 0:
        print(f"brightness {total:.4f}  centre {moment / total:.6f}")


if __name__ == "__main__":
    main()
