import random

from mpi4py import MPI

from balance import rebalance


def imbalance(comm, items):
    load = sum(items)
    peak = comm.allreduce(load, op=MPI.MAX)
    return peak / (comm.allreduce(load) / comm.size)


def main():
    comm = MPI.COMM_WORLD
    rnd = random.Random(comm.rank)
    items = [rnd.uniform(0.5, 1.5) for _ in range(20 + 25 * comm.rank)]
    before = imbalance(comm, items)
    count = comm.allreduce(len(items))
    items = rebalance(comm, items, rounds=4)
    after = imbalance(comm, items)
    assert comm.allreduce(len(items)) == count
    if comm.rank == 0:
        print(f"{count} items, imbalance {before:.3f} -> {after:.3f}")


if __name__ == "__main__":
    main()
