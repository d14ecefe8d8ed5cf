import sys

import numpy as np
from mpi4py import MPI

from events import generate
from scratch import ScratchSpace
from settings import Settings
from sorter import BucketSorter, check_order


def spectrum(comm, pieces, edges):
    local = np.zeros(len(edges) - 1, dtype="i8")
    for p in pieces:
        local += np.histogram(p["mass"], bins=edges)[0]
    total = np.zeros_like(local)
    comm.Reduce(local, total if comm.rank == 0 else None, op=MPI.SUM, root=0)
    return total


def main():
    comm = MPI.COMM_WORLD
    settings = Settings.from_env()
    sorter = BucketSorter(comm, settings)
    events = generate(settings.events_per_rank, comm.rank, settings)

    with ScratchSpace(comm, settings.scratch, settings.keep_scratch) as scratch:
        sorter.spill(events, scratch)
        pieces = sorter.merge(scratch)

    ordered, count = check_order(comm, pieces)
    hist = spectrum(comm, pieces, np.linspace(60.0, 120.0, 13))
    if comm.rank == 0:
        print(f"{count} events, ordered: {ordered}")
        for lo, n in zip(np.linspace(60.0, 115.0, 12), hist):
            print(f"{lo:6.1f}  {'#' * int(n // 40)} {n}")
    return 0 if ordered else 1


if __name__ == "__main__":
    sys.exit(main())
