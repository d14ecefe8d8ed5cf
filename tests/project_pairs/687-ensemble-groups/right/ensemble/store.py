"""Where the final states of the members are kept until the summary."""
import os

import numpy as np


class MemoryStore:
    def __init__(self, cfg, pool):
        self.pool = pool
        self.states = {}

    def put(self, number, state):
        if self.pool.leads_group:
            self.states[number] = state

    def finish(self):
        """Collect the states of all groups on rank 0 of the world."""
        collected = self.pool.world.gather(self.states, root=0)
        if collected is not None:
            self.states = {k: v for part in collected for k, v in part.items()}

    def get(self, number):
        return self.states[number]


class NpyStore:
    """One file per member; needs a file system that all ranks share."""

    def __init__(self, cfg, pool):
        self.pool = pool
        self.outdir = cfg.outdir
        if pool.world.rank == 0:
            os.makedirs(self.outdir, exist_ok=True)
            for name in os.listdir(self.outdir):
                if name.startswith("member_") and name.endswith(".npy"):
                    os.remove(os.path.join(self.outdir, name))
        pool.world.Barrier()

    def path(self, number):
        return os.path.join(self.outdir, f"member_{number:04d}.npy")

    def put(self, number, state):
        if self.pool.leads_group:
            np.save(self.path(number), state)

    def finish(self):
        self.pool.world.Barrier()

    def get(self, number):
        return np.load(self.path(number))


def make_store(cfg, pool):
    return {"memory": MemoryStore, "npy": NpyStore}[cfg.store](cfg, pool)
