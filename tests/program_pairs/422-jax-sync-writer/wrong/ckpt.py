"""Very small checkpoint writer: one npz with the (replicated) parameters."""
import json
import os

import jax
import numpy as np
from jax.experimental import multihost_utils


class Checkpointer:
    def __init__(self, directory, keep=2):
        self.directory = directory
        self.keep = keep
        if jax.process_index() == 0:
            os.makedirs(directory, exist_ok=True)
        multihost_utils.sync_global_devices("ckpt:init")

    def _path(self, step):
        return os.path.join(self.directory, f"step_{step:06d}.npz")

    def _write(self, step, params):
        flat, _ = jax.tree_util.tree_flatten_with_path(params)
        arrays = {jax.tree_util.keystr(k): np.asarray(v) for k, v in flat}
        np.savez(self._path(step), **arrays)
        with open(os.path.join(self.directory, "latest.json"), "w") as fh:
            json.dump({"step": step}, fh)
        self._rotate()

    def _rotate(self):
        files = sorted(f for f in os.listdir(self.directory) if f.endswith(".npz"))
        for f in files[: -self.keep]:
            os.remove(os.path.join(self.directory, f))

    def save(self, step, params):
        if jax.process_index() != 0:
            return
        self._write(step, params)
        multihost_utils.sync_global_devices(f"ckpt:save:{step}")

    def latest(self):
        with open(os.path.join(self.directory, "latest.json")) as fh:
            return json.load(fh)["step"]
