import os
import pickle

import numpy as np
from jax.experimental import multihost_utils

from . import dist


class CheckpointManager:
    """One pickle per checkpoint with the complete parameters."""

    def __init__(self, folder):
        self.folder = folder
        self.saved = []

    def path(self, epoch):
        return os.path.join(self.folder, f"epoch_{epoch:04d}.pkl")

    def save(self, epoch, params):
        host = dist.to_host(params)
        if dist.is_primary():
            os.makedirs(self.folder, exist_ok=True)
            with open(self.path(epoch) + ".tmp", "wb") as f:
                pickle.dump({"epoch": epoch, "params": host}, f)
            os.replace(self.path(epoch) + ".tmp", self.path(epoch))
        self.saved.append(epoch)

    def latest(self):
        found = -1
        if dist.is_primary() and os.path.isdir(self.folder):
            found = max((int(n[6:10]) for n in os.listdir(self.folder)
                         if n.startswith("epoch_") and n.endswith(".pkl")), default=-1)
        return int(multihost_utils.broadcast_one_to_all(np.int32(found)))

    def restore(self, trainer):
        """Loads the newest checkpoint into the trainer; returns the first epoch."""
        epoch = self.latest()
        if epoch < 0:
            return 0
        with open(self.path(epoch), "rb") as f:
            state = pickle.load(f)
        trainer.set_params(state["params"])
        return state["epoch"]
