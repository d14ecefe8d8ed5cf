"""Read one observation file per process while the archive is still staging them."""
import os
import shutil
import tempfile
import threading
import time

import numpy as np
from mpi4py import MPI

SAMPLES = 400


class Archive:
    """Copies the files from 'tape' to disk one after the other, in the background."""

    def __init__(self, folder, count, delay=0.25):
        self.folder, self.count, self.delay = folder, count, delay
        self.thread = threading.Thread(target=self.stage)

    def stage(self):
        for i in range(self.count):
            time.sleep(self.delay)
            values = np.random.default_rng(i).normal(loc=i, size=SAMPLES)
            partial = os.path.join(self.folder, f"part{i}.npy")
            np.save(partial, values)
            os.replace(partial, path_of(self.folder, i))


def path_of(folder, i):
    return os.path.join(folder, f"obs{i:03d}.npy")


def read_when_ready(comm, path, attempts=60, pause=0.1):
    """Try again until the file is there; all processes go on together."""
    data = None
    for _ in range(attempts):
        try:
            data = np.load(path)
            break
        except FileNotFoundError:
            time.sleep(pause)
    comm.Barrier()
    return data


def main():
    comm = MPI.COMM_WORLD
    folder = tempfile.mkdtemp(prefix="stage_") if comm.rank == 0 else None
    folder = comm.bcast(folder, root=0)
    archive = None
    if comm.rank == 0:
        archive = Archive(folder, comm.size)
        archive.thread.start()

    data = read_when_ready(comm, path_of(folder, comm.rank))
    missing = comm.allreduce(int(data is None))
    if missing:
        if comm.rank == 0:
            print(missing, "files did not arrive")
    else:
        total = comm.allreduce(float(data.sum()))
        squares = comm.allreduce(float((data ** 2).sum()))
        n = SAMPLES * comm.size
        if comm.rank == 0:
            mean = total / n
            print(f"{n} samples, mean {mean:.4f}, sd {np.sqrt(squares / n - mean ** 2):.4f}")
    if comm.rank == 0:
        archive.thread.join()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
