import numpy as np
from mpi4py import MPI


class SampleSort:
    def __init__(self, comm):
        self.comm = comm

    def splitters(self, data):
        sample = np.sort(data)[:: max(1, data.size // 16)]
        pool = np.sort(np.concatenate(self.comm.allgather(sample)))
        cuts = [(k + 1) * pool.size // self.comm.size for k in range(self.comm.size - 1)]
        return pool[cuts]

    def sort(self, data):
        data = np.sort(data)
        edges = np.searchsorted(data, self.splitters(data))
        buckets = np.split(data, edges)
        received = self.comm.alltoall(buckets)
        return np.sort(np.concatenate(received))


def main():
    comm = MPI.COMM_WORLD
    data = np.random.default_rng(comm.rank).normal(size=500)
    mine = SampleSort(comm).sort(data)
    limits = comm.gather((len(mine), float(mine[0]), float(mine[-1])), root=0)
    if comm.rank == 0:
        print("items", sum(n for n, _, _ in limits))
        print("in order", all(a[2] <= b[1] for a, b in zip(limits, limits[1:])))


main()
