"""Shared scratch folder for the exchange of sorted pieces between ranks."""
import os
import shutil

import numpy as np


class ScratchSpace:
    def __init__(self, comm, path, keep=False):
        self.comm = comm
        self.path = path
        self.keep = keep

    def __enter__(self):
        if self.comm.rank == 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.makedirs(self.path)
        self.comm.Barrier()
        return self

    def __exit__(self, exc_type, exc, tb):
        if self.comm.rank == 0 and not self.keep:
            shutil.rmtree(self.path)
        return False

    def _file(self, bucket, origin):
        return os.path.join(self.path, f"b{bucket:03d}_{origin:03d}.npy")

    def put(self, bucket, array):
        np.save(self._file(bucket, self.comm.rank), array)

    def collect(self, bucket):
        parts = [np.load(self._file(bucket, r)) for r in range(self.comm.size)]
        return np.concatenate(parts)

    def synchronize(self):
        self.comm.Barrier()
