"""Scratch directory into which every rank writes its own part files."""
import contextlib
import shutil
from pathlib import Path

import numpy as np


class Stage:
    def __init__(self, comm, folder):
        self.comm = comm
        self.folder = Path(folder)

    def part(self, name, rank):
        return self.folder / f"{name}.{rank:04d}.npy"

    def write(self, name, array):
        np.save(self.part(name, self.comm.rank), array)

    def parts(self, name):
        for rank in range(self.comm.size):
            yield np.load(self.part(name, rank))


@contextlib.contextmanager
def staging(comm, folder):
    """Yield a freshly created stage for the part files of this run."""
    stage = Stage(comm, folder)
    if comm.rank == 0:
        shutil.rmtree(stage.folder, ignore_errors=True)
        stage.folder.mkdir(parents=True)
    comm.Barrier()
    yield stage
