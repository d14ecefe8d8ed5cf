import os
import re

import numpy as np
from jax.experimental import multihost_utils

PATTERN = re.compile(r"step_(\d+)\.npz$")


class CheckpointManager:
    """Numbered checkpoints in one folder, the newest ones are kept."""

    def __init__(self, folder, keep, writer):
        self.folder = folder
        self.keep = keep
        self.writer = writer
        os.makedirs(folder, exist_ok=True)

    def path(self, step):
        return os.path.join(self.folder, f"step_{step}.npz")

    def steps(self):
        found = (PATTERN.match(n) for n in os.listdir(self.folder))
        return sorted(int(m.group(1)) for m in found if m)

    def save(self, step, params):
        host = {k: np.asarray(v) for k, v in params.items()}
        if self.writer:
            self._write(step, host)
        self._prune()
        multihost_utils.sync_global_devices(f"saved {step}")

    def _write(self, step, host):
        tmp = self.path(step) + ".tmp"
        with open(tmp, "wb") as f:
            np.savez(f, **host)
        os.replace(tmp, self.path(step))

    def _prune(self):
        for step in self.steps()[:-self.keep]:
            os.remove(self.path(step))

    def restore(self, step):
        with np.load(self.path(step)) as z:
            return {k: z[k] for k in z.files}
