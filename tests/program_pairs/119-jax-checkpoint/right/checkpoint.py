import os

import jax
import numpy as np
from jax.experimental import multihost_utils


class Checkpointer:
    def __init__(self, folder, every):
        self.folder = folder
        self.every = every
        self.saved = []
        self.is_main = jax.process_index() == 0
        if self.is_main:
            os.makedirs(folder, exist_ok=True)

    def _path(self, step):
        return os.path.join(self.folder, f"step_{step:05d}.npz")

    def _to_host(self, tree):
        return multihost_utils.process_allgather(tree, tiled=True)

    def save(self, step, tree):
        leaves = jax.tree.leaves(self._to_host(tree))
        if not self.is_main:
            return
        np.savez(self._path(step), *map(np.asarray, leaves))
        self.saved.append(step)

    def maybe_save(self, step, tree):
        if step % self.every == 0:
            self.save(step, tree)

    def close(self):
        multihost_utils.sync_global_devices("checkpointer-close")
