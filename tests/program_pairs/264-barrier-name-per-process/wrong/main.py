import argparse
import os

import jax
import numpy as np
from jax.experimental import multihost_utils as mh


class Saver:
    """Writes one part per process and a manifest by process 0."""

    def __init__(self, folder):
        self.folder = folder
        self.me = jax.process_index()
        self.world = jax.process_count()

    def barrier(self, what, step):
        mh.sync_global_devices(f"{what}-{step}-{self.me}")

    def save(self, step, array):
        path = os.path.join(self.folder, f"step{step}")
        if self.me == 0:
            os.makedirs(path, exist_ok=True)
        self.barrier("mkdir", step)
        np.save(os.path.join(path, f"part{self.me}.npy"), array)
        self.barrier("parts", step)
        if self.me == 0:
            with open(os.path.join(path, "MANIFEST"), "w") as fh:
                fh.write(f"{self.world}\n")
        self.barrier("manifest", step)

    def load(self, step):
        path = os.path.join(self.folder, f"step{step}")
        with open(os.path.join(path, "MANIFEST")) as fh:
            parts = int(fh.read())
        return np.concatenate([np.load(os.path.join(path, f"part{p}.npy")) for p in range(parts)])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coordinator", required=True)
    ap.add_argument("--num-processes", type=int, required=True)
    ap.add_argument("--process-id", type=int, required=True)
    ap.add_argument("--folder", default="ckpt")
    a = ap.parse_args()
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(a.coordinator, a.num_processes, a.process_id)

    saver = Saver(a.folder)
    for step in range(2):
        saver.save(step, np.full(3, jax.process_index() + 10 * step))
    full = saver.load(1)
    assert len(full) == 3 * a.num_processes
    if jax.process_index() == 0:
        print("restored", full.tolist())


if __name__ == "__main__":
    main()
