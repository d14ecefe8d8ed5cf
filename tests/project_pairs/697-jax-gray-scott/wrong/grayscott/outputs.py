"""Run folders and the shard files in them."""
import os
from datetime import datetime

import numpy as np


class RunFolder:
    def __init__(self, path):
        self.path = path

    @classmethod
    def create(cls, procs, base, name):
        """A fresh folder for this run, named after the time of its start."""
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
        path = os.path.join(base, f"{name}-{stamp}")
        os.makedirs(path, exist_ok=True)
        procs.barrier("run folder")
        return cls(path)

    def shard(self, step, index):
        return os.path.join(self.path, f"step{step:06d}.{index:03d}.npz")


class ShardWriter:
    """Each process saves the rows that it holds."""

    def __init__(self, procs, folder):
        self.procs = procs
        self.folder = folder
        self.steps = []

    def save(self, step, state):
        blocks = {}
        for s in state.addressable_shards:
            blocks[str(s.index[1].start or 0)] = np.asarray(s.data)
        np.savez(self.folder.shard(step, self.procs.index), **blocks)
        self.steps.append(step)


def merge(folder, step, count):
    """The whole state from the shard files of all processes."""
    blocks = {}
    for index in range(count):
        with np.load(folder.shard(step, index)) as data:
            blocks.update({int(k): data[k] for k in data.files})
    return np.concatenate([blocks[k] for k in sorted(blocks)], axis=1)
