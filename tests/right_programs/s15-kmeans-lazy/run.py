from itertools import islice

import numpy as np
from mpi4py import MPI

from clustering import Clustering
from data import Blobs, my_slice


def rounds(state, tolerance=1e-12):
    """Successive states until the inertia stays put."""
    yield state
    while True:
        after = state.improved()
        if state.inertia - after.inertia <= tolerance * state.inertia:
            return
        yield (state := after)


def cluster(comm, data, k, verbose=False):
    centres = np.empty((k, 2))
    if comm.rank == 0:
        picks = np.random.default_rng(len(data)).choice(len(data), k, replace=False)
        centres[:] = [data[int(i)] for i in picks]
        centres[-1] = 50.0
    comm.Bcast(centres, root=0)
    first = Clustering(comm, data[my_slice(len(data), comm.rank, comm.size)], centres)
    for state in islice(rounds(first), 60):
        line = f"{state:.6f}"
        if verbose and comm.rank == 0:
            print(line)
    return state


def gather_labels(comm, labels):
    counts = comm.gather(len(labels), root=0)
    whole = None
    if counts:
        whole = np.empty(sum(counts), dtype=labels.dtype)
    comm.Gatherv(labels, [whole, counts], root=0)
    return whole


def main():
    comm = MPI.COMM_WORLD
    for n, k in ((90, 3), (6, 2), (40, 5)):
        data = Blobs(n, k)
        final = cluster(comm, data, k, verbose=n == 90)
        alone = cluster(MPI.COMM_SELF, data, k)
        assert np.allclose(final.centres, alone.centres)
        assert final.sizes.sum() == n and final.round == alone.round
        assert np.isclose(final.inertia, alone.inertia)
        labels = gather_labels(comm, final.labels)
        if comm.rank == 0:
            assert np.array_equal(labels, alone.labels)
            print(f"n={n} k={k} {final:.8f}")


if __name__ == "__main__":
    main()
