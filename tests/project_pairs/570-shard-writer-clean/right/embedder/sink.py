import os
import shutil

import numpy as np


class ShardSink:
    """Collects blocks and writes this rank's shard when the block ends."""

    def __init__(self, folder, comm, overwrite=True):
        self.folder = folder
        self.comm = comm
        self.overwrite = overwrite
        self.blocks = []

    @property
    def path(self):
        return os.path.join(self.folder, f"shard-{self.comm.Get_rank():05d}.npy")

    def _prepare(self):
        if self.overwrite and os.path.isdir(self.folder):
            shutil.rmtree(self.folder)
        os.makedirs(self.folder, exist_ok=True)

    def __enter__(self):
        if self.comm.Get_rank() == 0:
            self._prepare()
        self.comm.Barrier()
        return self

    def write(self, block):
        self.blocks.append(np.asarray(block))

    def __exit__(self, kind, value, tb):
        if kind is not None:
            return False
        if self.blocks:
            np.save(self.path, np.concatenate(self.blocks))
        self.comm.Barrier()
        return False
