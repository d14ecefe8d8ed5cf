import numpy as np
from mpi4py import MPI

from tickets import TicketBox


def evaluate(index):
    rng = np.random.default_rng(index)
    inside = np.square(rng.random((20_000, 2))).sum(axis=1) < 1.0
    return 4.0 * inside.mean()


def main():
    comm = MPI.COMM_WORLD
    box = TicketBox(comm, limit=17)
    results = {}
    while (index := box.draw()) is not None:
        results[index] = evaluate(index)
    box.close()
    parts = comm.gather(results, root=0)
    if comm.rank == 0:
        merged = {k: v for part in parts for k, v in part.items()}
        print(len(merged), "estimates, pi is about", round(np.mean(sorted(merged.values())), 6))


if __name__ == "__main__":
    main()
