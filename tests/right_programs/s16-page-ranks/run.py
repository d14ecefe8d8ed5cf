from operator import itemgetter

import numpy as np
from mpi4py import MPI

from vector import SpreadVector
from web import Links


def ranks(comm, pages, seed, damping=0.85):
    """Yield (change, vector) for each iteration."""
    x = SpreadVector.generate(comm, pages, lambda i: 1.0 / pages)
    first, stop = (int(x.starts[comm.rank + d]) for d in (0, 1))
    links = Links(pages, first, stop, seed)
    while True:
        pushed = links.pushed(lambda page: x.local[page - first])
        received = np.empty(stop - first)
        comm.Reduce_scatter(pushed, received, recvcounts=x.counts)
        lost = comm.allreduce(sum(float(x.local[p - first])
                                  for p in filter(links.dangling, range(first, stop))))
        y = damping * (x.like(received) + lost / pages) + (1.0 - damping) / pages
        yield y.gap(x), y
        x = y


def settle(comm, pages, seed):
    steps = ranks(comm, pages, seed)
    for count, (change, last) in enumerate(steps, start=1):
        if change <= 1e-10:
            steps.close()
    return count, last


def main():
    comm = MPI.COMM_WORLD
    for pages, seed in ((25, 1), (3, 2), (60, 3)):
        count, x = settle(comm, pages, seed)
        ref_count, ref = settle(MPI.COMM_SELF, pages, seed)
        assert abs(count - ref_count) <= 1 and abs(x.sum() - 1.0) < 1e-9
        values = x.whole()
        assert len(values) == len(x) == pages
        assert np.allclose(values, ref.local, atol=1e-9)
        assert values == list(x) and values[-1] == x[-1]
        page, score = max(enumerate(x), key=itemgetter(1))
        assert score in x and 2.0 not in x
        assert x.index(score) == page
        assert np.isclose(x @ x, ref @ ref)
        if comm.rank == 0:
            print(f"{pages} pages: best {page} with {score:.8f}")


if __name__ == "__main__":
    main()
