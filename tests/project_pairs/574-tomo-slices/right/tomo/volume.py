"""The reconstructed stack on disk."""
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap


class VolumeFile:
    def __init__(self, comm, path, shape, dtype="f4"):
        self.comm = comm
        self.path = Path(path)
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self._map = None

    def create(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.comm.rank == 0:
            self._map = open_memmap(self.path, mode="w+", dtype=self.dtype, shape=self.shape)
        self.comm.Barrier()
        if self.comm.rank != 0:
            self._map = open_memmap(self.path, mode="r+")
        return self

    def put(self, index, image):
        self._map[index] = image

    def close(self):
        self._map.flush()
        self._map = None
        self.comm.Barrier()

    def __enter__(self):
        return self.create()

    def __exit__(self, *exc):
        if exc[0] is None:
            self.close()

    def read(self):
        return np.load(self.path, mmap_mode="r")
