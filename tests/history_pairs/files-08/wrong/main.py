import os

import numpy as np
from mpi4py import MPI

from layout import rank_folder


class Recorder:
    """Keeps the frames of this rank in its own folder below a common one."""

    def __init__(self, comm: MPI.Comm, base: str):
        self.folder = rank_folder(base, "frames", comm.rank)
        self.count = 0

    def add(self, frame: np.ndarray) -> None:
        np.save(os.path.join(self.folder, f"{self.count:05d}.npy"), frame)
        self.count += 1


def main() -> None:
    comm = MPI.COMM_WORLD
    recorder = Recorder(comm, "movie")
    x = np.linspace(0.0, 1.0, 40)
    for t in range(6):
        recorder.add(np.sin(2 * np.pi * (x - 0.1 * t)) * (comm.rank + 1))
    frames = comm.reduce(recorder.count, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print("frames:", frames)


if __name__ == "__main__":
    main()
