"""Checkpoints on the scratch disk of the first process."""
import shutil
from pathlib import Path

import jax
import numpy as np


class CheckpointStore:
    def __init__(self, cluster, folder):
        self.cluster = cluster
        self.folder = Path(folder)
        if cluster.is_chief:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)

    def save(self, step, params):
        if not self.cluster.is_chief:
            return
        leaves = jax.tree.leaves(params)
        arrays = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}
        np.savez(self.folder / f"step{step:06d}.npz", **arrays)

    def restore(self, params):
        """The newest saved step and its parameters, or step 0 and ``params``."""
        step = np.int32(0)
        if self.cluster.is_chief:
            found = sorted(self.folder.glob("step*.npz"))
            if found:
                step = np.int32(found[-1].stem[4:])
                params = self._read(found[-1], params)
        return int(step), params

    @staticmethod
    def _read(path, like):
        treedef = jax.tree.structure(like)
        with np.load(path) as archive:
            leaves = [archive[f"leaf{i}"] for i in range(treedef.num_leaves)]
        return jax.tree.unflatten(treedef, leaves)

    def discard(self):
        if self.cluster.is_chief:
            shutil.rmtree(self.folder)
