import json
import os

import numpy as np


def write_manifest(folder, summary):
    """Lists the shards that the folder holds, next to the column means."""
    shards = sorted(n for n in os.listdir(folder) if n.endswith(".npy"))
    rows = [int(np.load(os.path.join(folder, n), mmap_mode="r").shape[0]) for n in shards]
    manifest = {
        "shards": [{"name": n, "rows": r} for n, r in zip(shards, rows)],
        "rows": sum(rows),
        "mean": summary["mean"],
    }
    with open(os.path.join(folder, "manifest.json"), "w") as f:
        json.dump(manifest, f, indent=1)
    return manifest
