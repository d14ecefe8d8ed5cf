"""Sharded saving: each process writes the part of the state it holds."""
import json
import os

import jax
import numpy as np
from jax.experimental import multihost_utils


class ShardedSaver:
    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)

    def shard_path(self, step, process):
        return os.path.join(self.directory, f"step{step:04d}.p{process}.npz")

    def save(self, step, state):
        path = self.shard_path(step, jax.process_index())
        np.savez(path, **state)
        multihost_utils.sync_global_devices(f"saved step {step}")
        if jax.process_index() == 0:
            self._write_manifest(step)

    def _write_manifest(self, step):
        shards = [self.shard_path(step, p) for p in range(jax.process_count())]
        manifest = {"step": step, "files": {os.path.basename(s): os.path.getsize(s) for s in shards}}
        with open(os.path.join(self.directory, f"step{step:04d}.json"), "w") as fh:
            json.dump(manifest, fh, indent=1)
