import os

import numpy as np


class CheckpointStore:
    """Saves and restores the best configuration of a walker."""

    def __init__(self, root, comm):
        self.root = root
        self.comm = comm
        if comm.rank == 0:
            os.makedirs(root, exist_ok=True)
        comm.Barrier()

    def path(self, label):
        return os.path.join(self.root, f"{label}_w{self.comm.rank:03d}.npz")

    def save(self, label, spins, energy):
        np.savez(self.path(label), spins=spins.astype(np.int8), energy=energy)

    def load(self, label):
        with np.load(self.path(label)) as z:
            return z["spins"].astype(float), float(z["energy"])
