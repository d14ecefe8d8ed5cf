import numpy as np
from mpi4py import MPI


class ShuffledSampler:
    """Hands each rank its slice of one permutation per epoch."""

    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        self.rng = np.random.default_rng()

    def permutation(self):
        perm = self.rng.permutation(self.n) if self.comm.rank == 0 else None
        return self.comm.bcast(perm, root=0)

    def epoch(self):
        return self.permutation()[self.comm.rank::self.comm.size]


class Dataset:
    def __init__(self, n):
        self.values = np.arange(n, dtype=float) ** 2

    def __len__(self):
        return len(self.values)

    def __getitem__(self, idx):
        return self.values[idx]


def coverage(comm, idx, n):
    seen = np.zeros(n, dtype=np.int64)
    seen[idx] += 1
    comm.Allreduce(MPI.IN_PLACE, seen, op=MPI.SUM)
    return seen


def main():
    comm = MPI.COMM_WORLD
    data = Dataset(200)
    sampler = ShuffledSampler(comm, len(data))
    for epoch in range(3):
        idx = sampler.epoch()
        part = data[idx].sum()
        total = comm.allreduce(part, op=MPI.SUM)
        seen = coverage(comm, idx, len(data))
        if comm.rank == 0:
            print(f"epoch {epoch}: sum {total:.0f} of {data.values.sum():.0f}, "
                  f"unseen {np.count_nonzero(seen == 0)}")
            assert (seen == 1).all()
    comm.Barrier()


main()
