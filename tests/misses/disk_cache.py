import os, pickle
from mpi4py import MPI
MISS = object()

class Disk:
    def __init__(self, folder):
        self.folder = folder
    def get(self, key, default=None):
        try:
            with open(os.path.join(self.folder, key), "rb") as f:
                return pickle.load(f)
        except FileNotFoundError:
            return default
    def setdefault(self, key, value):
        with open(os.path.join(self.folder, key), "wb") as f:
            pickle.dump(value, f)
        return value

def cached(func, cache, comm, key):
    value = cache.get(key, MISS)
    if value is MISS:
        value = func() if comm.rank == 0 else None
        value = comm.bcast(value, root=0)
    return cache.setdefault(key, value)
