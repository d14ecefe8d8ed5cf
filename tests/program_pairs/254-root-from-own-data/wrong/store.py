from mpi4py import MPI


class Store:
    def __init__(self, comm):
        self.comm = comm
        self._mine = {}

    def put(self, key, value):
        self._mine[key] = value

    def owner(self, key):
        """Rank that holds the key."""
        rank = self.comm.rank if key in self._mine else 0
        return rank

    def get(self, key):
        root = self.owner(key)
        value = self._mine.get(key)
        return self.comm.bcast(value, root=root)
