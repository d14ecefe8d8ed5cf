"""Distributed dictionary of arrays; lookups are collective."""
import numpy as np
from mpi4py import MPI

from store import Store

KEYS = ["rho", "ux", "uy", "p", "T"]


def fill(store):
    for i, key in enumerate(KEYS):
        if i % store.comm.size == store.comm.rank:
            store.put(key, np.full(4, i + 1.0))


def main():
    comm = MPI.COMM_WORLD
    store = Store(comm)
    fill(store)
    total = 0.0
    for key in KEYS:
        field = store.get(key)
        total += float(field.sum())
    totals = comm.gather(total, root=0)
    if comm.rank == 0:
        print("totals", totals)
        assert totals == [60.0] * comm.size


if __name__ == "__main__":
    main()
