"""Checkpoints of all processes together by flax.training.checkpoints."""

import jax
import numpy as np
from flax.training import checkpoints
from jax.experimental import multihost_utils
from job import FOLDER, SPLIT, WHOLE, told

target = {
    "split": jax.device_put(np.arange(16.0, dtype=np.float32), SPLIT),
    "whole": jax.device_put(np.ones(3, np.float32), WHOLE),
    "number": 3,
}
for step in range(3):
    changed = target | {"whole": target["whole"] * (step + 1)}
    checkpoints.save_checkpoint_multiprocess(FOLDER / "flax", changed, step=step, keep=2)
multihost_utils.sync_global_devices("saved")
found = checkpoints.restore_checkpoint(FOLDER / "flax", target)
told("whole", found["whole"])
told("split", found["split"].addressable_shards[0].data)
