import os
import shutil
import time

import numpy as np
from mpi4py import MPI

SCRATCH = "scratch_sort"


class ExternalSort:
    """Bucket sort through files: bucket_<src>_<dst>.npy"""

    def __init__(self, comm):
        self.comm = comm
        if comm.rank == 0:
            os.makedirs(SCRATCH, exist_ok=True)
        comm.Barrier()

    def path(self, src, dst):
        return os.path.join(SCRATCH, f"bucket_{src}_{dst}.npy")

    def scatter(self, keys):
        owner = np.minimum((keys * self.comm.size).astype(int), self.comm.size - 1)
        for dst in range(self.comm.size):
            np.save(self.path(self.comm.rank, dst), keys[owner == dst])
        self.comm.Barrier()

    def collect(self):
        parts = []
        for src in range(self.comm.size):
            parts.append(np.load(self.path(src, self.comm.rank)))
            time.sleep(0.02 * self.comm.rank)
        return np.sort(np.concatenate(parts))

    def close(self):
        self.comm.Barrier()
        if self.comm.rank == 0:
            shutil.rmtree(SCRATCH)


def main():
    comm = MPI.COMM_WORLD
    keys = np.random.default_rng(comm.rank).random(2000)
    job = ExternalSort(comm)
    job.scatter(keys)
    mine = job.collect()
    job.close()

    sizes = comm.gather(len(mine), root=0)
    edges = comm.gather((mine[0], mine[-1]), root=0)
    if comm.rank == 0:
        print("buckets", sizes, "total", sum(sizes))
        assert sum(sizes) == 2000 * comm.size
        assert all(a[1] <= b[0] for a, b in zip(edges, edges[1:]))


if __name__ == "__main__":
    main()
