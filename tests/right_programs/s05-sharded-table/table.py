"""A table whose rows live on the rank that owns their key."""
from collections import UserDict, defaultdict
from collections.abc import MutableMapping
from heapq import merge
from zlib import crc32

from mpi4py import MPI

_ABSENT = object()


class Outbox(defaultdict):
    """Pending assignments by owner; drain() gives one list per rank."""

    def __init__(self, size):
        super().__init__(list)
        self.size = size

    def drain(self):
        letters = [self.pop(r, []) for r in range(self.size)]
        assert not self
        return letters


class ShardedTable(UserDict):
    """Writes are local until flush(); whole-table questions are put by all ranks."""

    def __init__(self, comm, combine=None):
        self.comm = comm
        self.combine = combine or (lambda old, new: new)
        self.outbox = Outbox(comm.size)
        super().__init__()

    def owner(self, key):
        return crc32(str(key).encode()) % self.comm.size

    def __setitem__(self, key, value):
        self.outbox[self.owner(key)].append((key, value))

    def flush(self):
        for letter in self.comm.alltoall(self.outbox.drain()):
            for key, value in letter:
                old = self.data.get(key, _ABSENT)
                self.data[key] = value if old is _ABSENT else self.combine(old, value)
        return self

    def __len__(self):
        return self.comm.allreduce(len(self.data))

    def __iter__(self):
        yield from merge(*self.comm.allgather(sorted(self.data)))

    def __contains__(self, key):
        return self.comm.bcast(key in self.data, root=self.owner(key))

    def __getitem__(self, key):
        found = self.comm.bcast((key in self.data, self.data.get(key)), root=self.owner(key))
        match found:
            case (True, value):
                return value
            case (False, _):
                raise KeyError(key)

    def __delitem__(self, key):
        removed = self.data.pop(key, _ABSENT) is not _ABSENT
        if not self.comm.allreduce(removed, op=MPI.LOR):
            raise KeyError(key)

    def local_items(self):
        return sorted(self.data.items())


assert issubclass(ShardedTable, MutableMapping)
