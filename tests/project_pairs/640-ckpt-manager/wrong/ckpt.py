"""Checkpoints with atomic replace and a limit on the number kept."""
import os
import re

import numpy as np


class CheckpointManager:
    _PATTERN = re.compile(r"^model-(\d+)\.npz$")

    def __init__(self, directory, comm, keep=2):
        self.directory = directory
        self.comm = comm
        self.keep = keep
        if comm.rank == 0:
            os.makedirs(directory, exist_ok=True)
        comm.Barrier()

    def _path(self, step):
        return os.path.join(self.directory, f"model-{step}.npz")

    def steps(self):
        found = (self._PATTERN.match(n) for n in os.listdir(self.directory))
        return sorted(int(m.group(1)) for m in found if m)

    def save(self, step, **arrays):
        """Collective. Parameters are the same on all ranks."""
        partial = os.path.join(self.directory, "partial.npz")
        np.savez(partial, step=step, **arrays)
        os.replace(partial, self._path(step))
        self._prune()
        self.comm.Barrier()

    def _prune(self):
        for old in self.steps()[:-self.keep]:
            os.remove(self._path(old))

    def restore(self):
        """Latest checkpoint as a dict or None, the same on all ranks."""
        state = None
        if self.comm.rank == 0:
            steps = self.steps()
            if steps:
                with np.load(self._path(steps[-1])) as f:
                    state = {k: f[k] for k in f.files}
        return self.comm.bcast(state, root=0)
