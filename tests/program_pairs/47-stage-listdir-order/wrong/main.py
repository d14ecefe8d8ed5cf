"""Average over archived runs, after staging them to node-local scratch."""
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI

ARCHIVE = Path("archive")
NRUNS = 37


def build_archive():
    ARCHIVE.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    for i in range(NRUNS):
        np.save(ARCHIVE / f"run_{i:04d}.npy", rng.normal(loc=i, size=200))


class Stage:
    """A private copy of the archive for this process."""

    def __init__(self, source, rank):
        scratch = os.environ.get("LOCAL_SCRATCH", tempfile.gettempdir())
        self.path = tempfile.mkdtemp(prefix=f"stage{rank}_", dir=scratch)
        names = sorted(p.name for p in source.iterdir())
        # start at different files so as not to hit the same server
        k = rank * 11 % len(names)
        for name in names[k:] + names[:k]:
            shutil.copy(source / name, self.path)

    def share(self, rank, size):
        names = os.listdir(self.path)
        return [os.path.join(self.path, n) for n in names[rank::size]]

    def remove(self):
        shutil.rmtree(self.path)


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    if rank == 0:
        build_archive()
    comm.Barrier()

    stage = Stage(ARCHIVE, rank)
    total, count, used = 0.0, 0, []
    for path in stage.share(rank, size):
        data = np.load(path)
        total += data.sum()
        count += data.size
        used.append(os.path.basename(path))
    stage.remove()

    total = comm.reduce(total, root=0)
    count = comm.reduce(count, root=0)
    used = comm.reduce(used, root=0)
    if rank == 0:
        print(f"grand mean {total / count:.4f} from {len(set(used))} of {NRUNS} runs")


if __name__ == "__main__":
    main()
