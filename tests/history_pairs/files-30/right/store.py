from pathlib import Path

import numpy as np


class SnapshotStore:
    def __init__(self, comm, folder):
        self.rank = comm.rank
        self.folder = Path(folder)
        self.written = 0
        if comm.rank == 0:
            self.folder.mkdir(parents=True, exist_ok=True)
        comm.Barrier()

    def write(self, step, **arrays):
        np.savez(self.folder / f"step_{step:05d}_rank_{self.rank}.npz", **arrays)
        self.written += 1
