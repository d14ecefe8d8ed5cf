"""Own checkpoint format: one npz file a step with the full arrays, written by the first process."""
import os
import re

import jax
import numpy as np
from jax.experimental import multihost_utils


class CheckpointManager:
    def __init__(self, folder, keep=2):
        self.folder, self.keep = folder, keep
        self.main = jax.process_index() == 0
        if self.main:
            os.makedirs(folder, exist_ok=True)
        multihost_utils.sync_global_devices("checkpoint folder")

    def path(self, step):
        return os.path.join(self.folder, f"step_{step:06d}.npz")

    def steps(self):
        found = (re.fullmatch(r"step_(\d+)\.npz", name) for name in os.listdir(self.folder))
        return sorted(int(m.group(1)) for m in found if m)

    def to_host(self, state):
        return {k: multihost_utils.process_allgather(v, tiled=True) for k, v in sorted(state.items())}

    def save(self, step, state):
        if self.main:
            arrays = self.to_host(state)
            tmp = self.path(step) + ".part"
            with open(tmp, "wb") as fh:
                np.savez(fh, **arrays)
            os.replace(tmp, self.path(step))
            for old in self.steps()[:-self.keep]:
                os.remove(self.path(old))
        multihost_utils.sync_global_devices(f"saved {step}")

    def load(self, step, like):
        with np.load(self.path(step)) as data:
            return {k: jax.make_array_from_callback(v.shape, v.sharding, lambda i, a=data[k]: a[i])
                    for k, v in like.items()}
