import os
import shutil

import numpy as np
from mpi4py import MPI


class RunFolder:
    """A folder with a copy of the program that filled it."""

    def __init__(self, comm, path):
        self.comm = comm
        self.path = path
        os.makedirs(path, exist_ok=True)

    def keep_source(self, source):
        target = os.path.join(self.path, "source.py")
        if self.comm.rank == 0:
            shutil.copy(source, target)
        self.comm.Barrier()
        return os.path.getsize(target)

    def keep_result(self, name, values):
        values = self.comm.gather(values, root=0)
        if self.comm.rank == 0:
            np.savetxt(os.path.join(self.path, name + ".txt"), np.concatenate(values))


def main():
    comm = MPI.COMM_WORLD
    run = RunFolder(comm, "run_0001")
    size = run.keep_source(os.path.abspath(__file__))
    rng = np.random.default_rng(comm.rank)
    run.keep_result("noise", rng.normal(size=30))
    if comm.rank == 0:
        print("source kept:", size == os.path.getsize(__file__))
        print("files:", sorted(os.listdir(run.path)))


if __name__ == "__main__":
    main()
