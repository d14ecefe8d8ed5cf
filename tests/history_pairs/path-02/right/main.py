import time
from pathlib import Path

import numpy as np
from mpi4py import MPI


class Experiment:
    def __init__(self, comm: MPI.Comm, base: str = "runs"):
        self.comm = comm
        stamp = time.strftime("%Y%m%d-%H%M%S") if comm.rank == 0 else None
        self.folder = Path(base) / comm.bcast(stamp, root=0)
        if comm.rank == 0:
            self.folder.mkdir(parents=True, exist_ok=True)
        comm.Barrier()

    def save(self, name: str, values: np.ndarray) -> None:
        np.save(self.folder / f"{name}_{self.comm.rank}.npy", values)


def lorenz(start: np.ndarray, steps: int = 200, dt: float = 0.005) -> np.ndarray:
    track = np.empty((steps, 3))
    p = start.copy()
    for i in range(steps):
        x, y, z = p
        p = p + dt * np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])
        track[i] = p
    return track


def main() -> None:
    comm = MPI.COMM_WORLD
    experiment = Experiment(comm)
    track = lorenz(np.array([1.0, 1.0, 20.0 + comm.rank]))
    experiment.save("track", track)
    comm.Barrier()
    if comm.rank == 0:
        print("tracks:", len(list(experiment.folder.glob("track_*.npy"))) == comm.size)


if __name__ == "__main__":
    main()
