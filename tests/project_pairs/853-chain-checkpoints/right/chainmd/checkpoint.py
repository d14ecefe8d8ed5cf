"""Checkpoints: one directory a step, one shard a rank.

A checkpoint is assembled in a staging directory which gets its final name
when it is complete.  The file LATEST names the newest one.
"""
import os
import shutil
from pathlib import Path

import numpy as np


class CheckpointManager:
    def __init__(self, comm, root, keep=2):
        self.comm = comm
        self.root = Path(root) / "checkpoints"
        self.keep = keep
        if comm.rank == 0:
            self.root.mkdir(parents=True, exist_ok=True)
        comm.Barrier()

    @property
    def latest(self):
        """Step of the newest complete checkpoint, or None."""
        marker = self.root / "LATEST"
        return int(marker.read_text()) if marker.exists() else None

    def _folder(self, step):
        return self.root / f"step{step:06d}"

    def _write(self, folder, name, array):
        np.savez_compressed(folder / f"{name}.{self.comm.rank:03d}.npz",
                            data=array)

    def _commit(self, staging, step):
        os.rename(staging, self._folder(step))
        marker = self.root / "LATEST.part"
        marker.write_text(str(step))
        os.replace(marker, self.root / "LATEST")
        for old in sorted(self.root.glob("step??????"))[:-self.keep]:
            shutil.rmtree(old)

    def save(self, step, arrays):
        """Write the arrays of this rank; all ranks call it together."""
        staging = self.root / f"step{step:06d}.staging"
        if self.comm.rank == 0:
            staging.mkdir()
        self.comm.Barrier()
        for name, array in arrays.items():
            self._write(staging, name, array)
        self.comm.Barrier()
        if self.comm.rank == 0:
            self._commit(staging, step)
        self.comm.Barrier()

    def load(self, step):
        folder = self._folder(step)
        tail = f".{self.comm.rank:03d}.npz"
        arrays = {}
        for path in sorted(folder.glob("*" + tail)):
            with np.load(path) as shard:
                arrays[path.name[:-len(tail)]] = shard["data"]
        return arrays
