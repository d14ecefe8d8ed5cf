"""Energy histogram collected on rank 0 through a one-sided window."""
import numpy as np
from mpi4py import MPI

BINS = 32
EMAX = 8.0


def metropolis(seed, steps, beta=1.0):
    rng = np.random.default_rng(seed)
    x = 0.0
    for _ in range(steps):
        trial = x + rng.uniform(-1.5, 1.5)
        if rng.random() < np.exp(-beta * 0.5 * (trial ** 2 - x ** 2)):
            x = trial
        yield 0.5 * x * x


def local_histogram(rank, steps):
    counts = np.zeros(BINS, dtype="i8")
    for e in metropolis(1000 + rank, steps):
        b = int(e / EMAX * BINS)
        if b < BINS:
            counts[b] += 1
    return counts


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    counts = local_histogram(rank, 4000)

    itemsize = counts.itemsize
    nbytes = BINS * itemsize if rank == 0 else 0
    win = MPI.Win.Allocate(nbytes, itemsize, comm=comm)
    if rank == 0:
        hist = np.frombuffer(win.tomemory(), dtype="i8")
        hist[:] = counts
    win.Fence()
    if rank != 0:
        win.Accumulate(counts, 0, op=MPI.SUM)
    win.Fence()

    total = comm.reduce(int(counts.sum()), root=0)
    if rank == 0:
        centres = (np.arange(BINS) + 0.5) * EMAX / BINS
        print("entries", int(hist.sum()), "of", total)
        print("mean energy %.4f" % float((hist * centres).sum() / hist.sum()))
        for c, h in zip(centres[:6], hist[:6]):
            print("%5.2f %s" % (c, "#" * int(60 * h / hist.max())))
    win.Free()


if __name__ == "__main__":
    main()
