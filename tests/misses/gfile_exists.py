import os
import tensorflow as tf
from jax.experimental import multihost_utils

def train(workdir, steps, manager):
    for step in range(steps):
        manager(step)
    if not tf.io.gfile.exists(os.path.join(workdir, f"ckpt/{steps}")):
        multihost_utils.sync_global_devices("last")  #! JM109
        manager(steps)
