from contextlib import ExitStack
from itertools import compress

import numpy as np
from mpi4py import MPI

from histogram import SpreadHistogram
from shared import SharedTable

BINS = 22


def edges(shape):
    return np.sort(np.random.default_rng(8).normal(size=shape))


def samples(rank, round):
    """Some ranks have nothing in some rounds."""
    rng = np.random.default_rng([rank, round])
    return rng.normal(size=0 if (rank + round) % 3 == 0 else 20 + 15 * rank)


def main(rounds=4):
    comm = MPI.COMM_WORLD
    with ExitStack() as stack:
        table = stack.enter_context(SharedTable(comm, (BINS - 1,), edges))
        histogram = SpreadHistogram(comm, BINS)
        stack.callback(histogram.free)
        for round in range(rounds):
            with histogram.filling():
                for value in samples(comm.rank, round):
                    histogram.add(int(np.searchsorted(table[:], value)), float(value))
            expected = np.zeros(BINS, dtype="i8")
            for r in range(comm.size):
                for past in range(round + 1):
                    np.add.at(expected, np.searchsorted(edges(BINS - 1), samples(r, past)), 1)
            whole = histogram.whole()
            assert np.array_equal(whole, expected)

        assert len(histogram.recent) <= 5
        latest = dict(sorted(histogram.recent.items()))
        known = comm.allgather(latest)
        talkers = list(compress(range(comm.size), known))
        for rank in talkers:
            widest = comm.bcast(max(latest.values()) if comm.rank == rank else None, root=rank)
            assert widest == max(known[rank].values())
        if comm.rank == 0:
            print(f"{whole.sum()} samples, largest bin {whole.max()}, talkers {talkers}")


if __name__ == "__main__":
    main()
