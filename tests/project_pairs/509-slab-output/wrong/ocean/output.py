import secrets
from datetime import datetime
from pathlib import Path

import numpy as np


class RunDirectory:
    """A new folder for every run, with one file for each slab and snapshot."""

    def __init__(self, comm, base="runs", label="channel"):
        self.comm = comm
        self.base = Path(base)
        self.label = label
        self.path = self.base / self._name()
        if comm.rank == 0:
            self.path.mkdir(parents=True)
        comm.Barrier()

    def _name(self):
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        return f"{self.label}-{stamp}-{secrets.token_hex(3)}"

    def slab(self, snapshot, rank):
        return self.path / f"h{snapshot:04d}.{rank:03d}.npy"


class SlabWriter:
    def __init__(self, rundir):
        self.rundir = rundir
        self.count = 0

    def __call__(self, model):
        target = self.rundir.slab(self.count, self.rundir.comm.rank)
        np.save(target, model.h[1:-1])
        self.count += 1


def stitch(rundir, snapshot):
    parts = [np.load(rundir.slab(snapshot, r)) for r in range(rundir.comm.size)]
    return np.concatenate(parts)
