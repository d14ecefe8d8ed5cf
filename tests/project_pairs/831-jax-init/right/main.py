"""Train one network on several processes."""
from __future__ import annotations

import argparse

import jax
import jax.numpy as jnp

from parallel import connect, disconnect, norms
from training import SyncTrainer, TrainConfig


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--coordinator", default="localhost:12356")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--index", type=int, default=0)
    args = parser.parse_args()
    connect(args.coordinator, args.processes, args.index)
    params = SyncTrainer(TrainConfig()).train()
    size = sum(float(jnp.sum(leaf**2)) for leaf in jax.tree.leaves(params))
    sizes = norms(size)
    if jax.process_index() == 0:
        print("squared norm:", " ".join(f"{s:.4f}" for s in sizes))
    disconnect(args.processes)
    return 0 if max(sizes) - min(sizes) < 1e-3 else 1


if __name__ == "__main__":
    raise SystemExit(main())
