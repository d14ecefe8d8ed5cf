import numpy as np


def make_split(cfg, ranks):
    """Own rows of the data set; all ranks get equally many."""
    rng = np.random.default_rng([cfg["seed"], 1])
    x = rng.uniform(-1.0, 1.0, (cfg["samples"], 4)).astype(np.float32)
    y = np.stack([x[:, 0] ** 2 + x[:, 1], np.sin(2 * x[:, 2]), x[:, 3] * x[:, 0]], axis=1)
    n = cfg["samples"] // ranks.size
    if n < cfg["batch"]:
        raise ValueError("too few samples for this many ranks")
    mine = slice(ranks.rank * n, (ranks.rank + 1) * n)
    return x[mine], y[mine].astype(np.float32)
