"""Where does a drunkard end after 100 steps?

Batches of walks are made until the mean distance does not change any more.
"""
import numpy as np
from mpi4py import MPI

STEPS = 100
BATCH = 2000
TOLERANCE = 0.01
MAX_BATCHES = 12


def walk_batch(rng, hist):
    """Add the end points of one batch of walks to the histogram."""
    steps = rng.integers(0, 2, size=(BATCH, STEPS)) * 2 - 1
    ends = steps.sum(axis=1)
    hist += np.bincount(ends + STEPS, minlength=2 * STEPS + 1)


def mean_distance(hist):
    place = np.abs(np.arange(-STEPS, STEPS + 1))
    return float((place * hist).sum() / hist.sum())


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    rng = np.random.default_rng([2024, rank])

    hist = np.zeros(2 * STEPS + 1, dtype=np.int64)
    old = 0.0
    for batch in range(1, MAX_BATCHES + 1):
        walk_batch(rng, hist)
        comm.Allreduce(MPI.IN_PLACE, hist, op=MPI.SUM)
        mean = mean_distance(hist)
        if rank == 0:
            print(f"batch {batch:2d}: {hist.sum():8d} walks, mean distance {mean:.4f}")
        if batch > 3 and abs(mean - old) < TOLERANCE:
            break
        old = mean

    if rank == 0:
        print("walks made:", batch * BATCH * comm.Get_size())
        print("walks counted:", hist.sum())
        print("at the start again:", hist[STEPS])


if __name__ == "__main__":
    main()
