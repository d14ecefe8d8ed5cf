import json
import os

import numpy as np


def prepare(folder, shards, seed):
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(seed)
    names = []
    for shard in range(shards):
        name = f"shard_{shard:02d}.npy"
        np.save(os.path.join(folder, name), rng.integers(0, 512, size=100 + shard))
        names.append(name)
    with open(os.path.join(folder, "index.json"), "w") as handle:
        json.dump({"shards": names}, handle)
