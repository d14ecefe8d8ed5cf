"""Which remote vector entries a rank needs, and who sends what to whom."""
from collections import OrderedDict, defaultdict
from itertools import accumulate

import numpy as np
from mpi4py import MPI


def displacements(counts):
    return list(accumulate(counts, initial=0))[:-1]


class GatherPlan:
    def __init__(self, comm, offsets, needed):
        self.comm = comm
        self.offsets = np.asarray(offsets)
        first, self.stop = offsets[comm.rank], offsets[comm.rank + 1]
        by_owner = defaultdict(list)
        for index in sorted(needed):
            owner = int(np.searchsorted(self.offsets, index, side="right")) - 1
            by_owner[owner].append(index)
        by_owner.pop(comm.rank, None)

        self.want_counts = [len(by_owner[r]) for r in range(comm.size)]
        wanted = np.array(sum((by_owner[r] for r in range(comm.size)), []), dtype="i8")
        self.give_counts = comm.alltoall(self.want_counts)
        asked = np.empty(sum(self.give_counts), dtype="i8")
        comm.Alltoallv([wanted, (self.want_counts, displacements(self.want_counts))],
                       [asked, (self.give_counts, displacements(self.give_counts))])
        self.give = asked - first
        self.slots = OrderedDict((g, i) for i, g in enumerate(wanted.tolist()))
        self.order = np.random.default_rng(comm.rank).permutation(len(wanted))

    def local_index(self, g):
        """Position in the extended vector: own entries, then a shuffled ghost part."""
        first = self.offsets[self.comm.rank]
        if first <= g < self.stop:
            return g - first
        return self.stop - first + self.order[self.slots[g]]

    def extend(self, x):
        incoming = np.empty(sum(self.want_counts))
        request = self.comm.Ialltoallv(
            [outgoing := x[self.give], (self.give_counts, displacements(self.give_counts))],
            [incoming, (self.want_counts, displacements(self.want_counts))])
        ext = np.empty(len(x) + len(incoming))
        ext[:len(x)] = x
        request.Wait()
        ext[len(x) + self.order] = incoming
        return ext

    @property
    def traffic(self):
        return self.comm.allreduce(sum(self.want_counts), op=MPI.SUM)
