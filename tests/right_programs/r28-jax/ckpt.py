"""Checkpoint by process 0; the others wait until it is in place."""
import os

import jax
import numpy as np
from jax.experimental import multihost_utils as mhu


def save(folder, weights, step):
    if jax.process_index() == 0:
        tmp = os.path.join(folder, "w.tmp.npz")
        np.savez(tmp, weights=weights, step=step)
        os.replace(tmp, os.path.join(folder, "w.npz"))
    mhu.sync_global_devices(f"saved-{step}")


def restore(folder, dim):
    """Process 0 reads, the content is broadcast."""
    packet = {"weights": np.zeros(dim, dtype=np.float32), "step": np.zeros((), dtype=np.int32)}
    if jax.process_index() == 0:
        with np.load(os.path.join(folder, "w.npz")) as data:
            packet = {"weights": data["weights"], "step": data["step"].astype(np.int32)}
    packet = mhu.broadcast_one_to_all(packet)
    return np.asarray(packet["weights"]), int(packet["step"])
