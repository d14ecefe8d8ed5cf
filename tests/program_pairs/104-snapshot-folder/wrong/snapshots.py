"""Random-walk colony simulation that stores one snapshot file per rank and epoch."""
import json
import shutil
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
from mpi4py import MPI


class SnapshotWriter:
    def __init__(self, comm, folder):
        self.comm = comm
        self.folder = Path(folder)
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)

    def path(self, epoch, rank):
        return self.folder / f"epoch{epoch:03d}.rank{rank:02d}.npy"

    def write(self, epoch, positions):
        np.save(self.path(epoch, self.comm.rank), positions)

    def finish(self, epochs):
        self.comm.Barrier()
        if self.comm.rank == 0:
            files = [self.path(e, r) for e in range(epochs) for r in range(self.comm.size)]
            index = {f.name: int(np.load(f).shape[0]) for f in files}
            (self.folder / "index.json").write_text(json.dumps(index, indent=1))
            print(f"{len(index)} snapshots with {sum(index.values())} walkers in total")


class Colony:
    def __init__(self, n, rng):
        self.rng = rng
        self.pos = rng.normal(size=(n, 2))

    def advance(self, steps):
        for _ in range(steps):
            self.pos += self.rng.normal(scale=0.1, size=self.pos.shape)
            self.pos *= 0.99


def main():
    parser = ArgumentParser()
    parser.add_argument("--walkers", type=int, default=600)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--out", default="snapshots")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    share = len(range(comm.rank, args.walkers, comm.size))
    colony = Colony(share, np.random.default_rng([1, comm.rank]))
    colony.advance(int(colony.rng.integers(50, 2000)))
    writer = SnapshotWriter(comm, args.out)
    for epoch in range(args.epochs):
        colony.advance(20)
        writer.write(epoch, colony.pos)
    writer.finish(args.epochs)


if __name__ == "__main__":
    main()
