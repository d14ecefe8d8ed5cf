import os

import numpy as np


def shard_path(folder, shard):
    return os.path.join(folder, f"shard_{shard:03d}.npy")


def save_shard(folder, shard, values):
    np.save(shard_path(folder, shard), values)


def load_shard(folder, shard):
    return np.load(shard_path(folder, shard))
