import os

import numpy as np


def write_examples(folder, count, cfg):
    """Record files of different lengths, as an export job would leave them."""
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(cfg.seed)
    taste = rng.normal(size=(cfg.users, 3))
    kind = rng.normal(size=(cfg.items, 3))
    for i in range(count):
        n = 60 + 23 * (i % 4)
        users = rng.integers(0, cfg.users, n)
        items = rng.integers(0, cfg.items, n)
        p = 1.0 / (1.0 + np.exp(-(taste[users] * kind[items]).sum(axis=1)))
        clicks = (rng.random(n) < p).astype(np.float32)
        np.savez(os.path.join(folder, f"part-{i:05d}.npz"),
                 users=users.astype(np.int32), items=items.astype(np.int32), clicks=clicks)
    with open(os.path.join(folder, "DONE"), "w") as f:
        f.write(f"{count}\n")


def part_files(folder):
    return sorted(os.path.join(folder, n) for n in os.listdir(folder)
                  if n.startswith("part-") and n.endswith(".npz"))
