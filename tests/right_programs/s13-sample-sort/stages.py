"""Sorting as a pipeline of generators; a stage may communicate for each batch."""
from functools import reduce
from itertools import accumulate

import numpy as np
from mpi4py import MPI


def pipeline(source, *stages):
    return reduce(lambda stream, stage: stage(stream), stages, source)


def locally_sorted(batches):
    for batch in batches:
        yield np.sort(batch, kind="stable")


def with_splitters(comm, oversample=4):
    def stage(batches):
        for batch in batches:
            step = max(1, len(batch) // (comm.size * oversample))
            samples = comm.gather(batch[::step], root=0)
            cuts = np.empty(comm.size - 1)
            if comm.rank == 0:
                pool = np.sort(np.concatenate(samples))
                if pool.size:
                    at = np.arange(1, comm.size) * pool.size // comm.size
                    cuts[:] = pool[at]
                else:
                    cuts[:] = 0.0
            comm.Bcast(cuts, root=0)
            yield batch, cuts
    return stage


def redistributed(comm):
    def stage(pairs):
        for batch, cuts in pairs:
            edges = [0, *np.searchsorted(batch, cuts, side="right").tolist(), len(batch)]
            give = np.diff(edges).astype("i4")
            take = np.empty_like(give)
            comm.Alltoall(give, take)
            merged = np.empty(int(take.sum()))
            starts = list(accumulate(take.tolist(), initial=0))[:-1]
            comm.Alltoallv([batch, (give.tolist(), edges[:-1])],
                           [merged, (take.tolist(), starts)])
            yield np.sort(merged)
    return stage


def numbered(comm):
    """Attach the global position of the first value."""
    def stage(batches):
        for batch in batches:
            before = comm.exscan(len(batch), op=MPI.SUM)
            yield (0 if comm.rank == 0 else before), batch
    return stage


def checked(comm):
    """Neighbouring ranks must not overlap; ranks without values pass a limit on."""
    def stage(batches):
        for first, batch in batches:
            highest = -np.inf
            if comm.rank > 0:
                highest = comm.recv(source=comm.rank - 1, tag=3)
            good = not len(batch) or batch[0] >= highest
            if comm.rank + 1 < comm.size:
                comm.send(float(batch[-1]) if len(batch) else highest,
                          dest=comm.rank + 1, tag=3)
            if not comm.allreduce(bool(good), op=MPI.LAND):
                raise ArithmeticError("pieces overlap")
            yield first, batch
    return stage
