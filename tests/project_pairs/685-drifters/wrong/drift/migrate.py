"""Ways of handing drifters to the strip they have moved into."""
import numpy as np

MIGRATORS = {}


def migrator(name):
    def add(cls):
        MIGRATORS[name] = cls
        return cls
    return add


class Migrator:
    def __init__(self, strips):
        self.strips = strips

    def __call__(self, parts):
        owner = self.strips.owner(parts.rows[:, 1])
        leaving = owner != self.strips.rank
        if not self.needed(leaving):
            return
        arrived = self.exchange(parts.rows[leaving], owner[leaving])
        parts.rows = np.concatenate([parts.rows[~leaving], arrived])

    def needed(self, leaving):
        return leaving.any()

    def exchange(self, rows, owner):
        raise NotImplementedError


@migrator("gather")
class GatherMigrator(Migrator):
    """Everybody sees everything; good for small sets."""

    def exchange(self, rows, owner):
        everything = np.concatenate(self.strips.comm.allgather(rows))
        return everything[self.strips.owner(everything[:, 1]) == self.strips.rank]


@migrator("alltoall")
class AlltoallMigrator(Migrator):
    def exchange(self, rows, owner):
        comm, size = self.strips.comm, self.strips.size
        order = np.argsort(owner, kind="stable")
        send = np.ascontiguousarray(rows[order])
        nsend = 3 * np.bincount(owner, minlength=size)
        nrecv = np.empty_like(nsend)
        comm.Alltoall(nsend, nrecv)
        recv = np.empty((int(nrecv.sum()) // 3, 3))
        comm.Alltoallv([send, nsend], [recv, nrecv])
        return recv
