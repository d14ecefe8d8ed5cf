import logging
import shutil
import sys
import tempfile
from pathlib import Path

from mpi4py import MPI

import readings
from progress import BatchRunner


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
    folder, paths = None, None
    if comm.rank == 0:
        folder = Path(tempfile.mkdtemp(prefix="sensors_", dir="."))
        readings.create(folder, 10)
        paths = sorted(folder.glob("sensor_*.txt"))
    paths = comm.bcast(paths, root=0)

    n, s1, s2 = BatchRunner(comm, paths).run()
    mean = s1 / n
    comm.Barrier()
    if comm.rank == 0:
        print(f"{int(n)} values, mean {mean:.4f}, std {(s2 / n - mean ** 2) ** 0.5:.4f}")
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
