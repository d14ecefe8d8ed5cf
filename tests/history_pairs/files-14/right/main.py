from pathlib import Path

import numpy as np
from mpi4py import MPI


class Pipeline:
    def __init__(self, comm: MPI.Comm, folder: Path):
        self.comm = comm
        self.folder = folder
        self.folder.mkdir(exist_ok=True)

    def simulate(self, events: int) -> None:
        for event in range(self.comm.rank, events, self.comm.size):
            rng = np.random.default_rng(event)
            hits = rng.normal(size=(20 + event, 3))
            np.save(self.folder / f"event_{event:03d}.npy", hits)

    def summarise(self) -> None:
        self.comm.Barrier()
        if self.comm.rank != 0:
            return
        hits = 0
        paths = sorted(self.folder.glob("event_*.npy"))
        for path in paths:
            hits += len(np.load(path))
        print("events:", len(paths), "hits:", hits)


def main() -> None:
    pipeline = Pipeline(MPI.COMM_WORLD, Path("events"))
    pipeline.simulate(24)
    pipeline.summarise()


if __name__ == "__main__":
    main()
