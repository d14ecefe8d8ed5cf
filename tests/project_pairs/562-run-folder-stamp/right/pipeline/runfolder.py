import os
import uuid

import numpy as np
from jax.experimental import multihost_utils

from .env import main_only


class RunFolder:
    """One folder for everything that a run leaves behind."""

    def __init__(self, base, name):
        token = np.frombuffer(uuid.uuid4().bytes[:4], dtype=np.uint8)
        token = multihost_utils.broadcast_one_to_all(token)
        self.tag = f"{name}-{token.tobytes().hex()}"
        self.path = os.path.join(base, self.tag)
        self._make()
        multihost_utils.sync_global_devices("run-folder")

    @main_only
    def _make(self):
        os.makedirs(self.path)

    def file(self, name):
        return os.path.join(self.path, name)

    @main_only
    def _write(self, name, tree):
        with open(self.file(name), "wb") as f:
            np.savez(f, **{k: np.asarray(v) for k, v in tree.items()})

    def save(self, stage, tree):
        self._write(f"{stage}.npz", tree)
        multihost_utils.sync_global_devices(f"save-{stage}")

    def load(self, stage):
        with np.load(self.file(f"{stage}.npz")) as z:
            return {k: z[k] for k in z.files}

    @main_only
    def note(self, text):
        with open(self.file("notes.txt"), "a") as f:
            f.write(text + "\n")
