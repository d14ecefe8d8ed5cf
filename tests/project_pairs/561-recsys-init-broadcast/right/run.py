"""Two-tower recommender, one local replica per process, averaged gradients."""
import os
import sys

import jax

jax.config.update("jax_cpu_collectives_implementation", "gloo")

from towers.config import TowerConfig
from towers.replica import Replica
from towers.sync import GradientMean, fingerprints


def start():
    jax.distributed.initialize(
        coordinator_address=os.environ.get("COORDINATOR", "127.0.0.1:23461"),
        num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
        process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
    )
    return jax.process_index() == 0


def main():
    main_process = start()
    cfg = TowerConfig.from_env()
    replica = Replica(cfg, GradientMean())
    replica.prepare()
    for step in range(cfg.steps):
        loss = replica.step(step)
        if main_process and step % 10 == 0:
            print(f"step {step:3d} loss {loss:.4f}", flush=True)

    prints = fingerprints(replica.params)
    if main_process:
        print("parameter norms", " ".join(f"{v:.6f}" for v in prints))
    if prints.max() - prints.min() > 1e-5 * prints.max():
        if main_process:
            print("replicas differ", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
