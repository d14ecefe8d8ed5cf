"""Operating map of a reactor: coarse sweep, then refinement of the best points."""
import argparse
import itertools

from mpi4py import MPI

from farm import Farm
from reactor import yield_of


class Recorder:
    def __init__(self):
        self.table = {}

    def __call__(self, point, value):
        self.table[point] = value

    def best(self, n):
        return sorted(self.table, key=self.table.get, reverse=True)[:n]


def midpoint(p, q):
    return tuple(0.5 * (a + b) for a, b in zip(p, q))


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--temperatures", type=int, default=6)
    ap.add_argument("--residences", type=int, default=4)
    ap.add_argument("--rounds", type=int, default=3)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    farm = Farm(comm, yield_of)
    record = Recorder()

    grid = list(itertools.product(
        (320.0 + 20.0 * i for i in range(args.temperatures)),
        (0.5 * 2.0**j for j in range(args.residences))))
    farm.map(grid, record)

    for _ in range(args.rounds):
        # rank 0 alone knows the results, the workers just serve
        top = record.best(3)
        refined = [midpoint(top[0], p) for p in top[1:]]
        farm.map(refined, record)

    point = comm.bcast(record.best(1)[0] if comm.rank == 0 else None, root=0)
    if comm.rank == 0:
        print(f"{len(record.table)} points, best at T={point[0]:.2f} K, "
              f"tau={point[1]:.3f} s: {record.table[point]:.6f}")


if __name__ == "__main__":
    main()
