import os
import uuid

import numpy as np
from mpi4py import MPI


class FieldWriter:
    """Writes the slabs of all ranks to one file."""

    def __init__(self, comm, folder):
        self.comm = comm
        name = f"field_{uuid.uuid4().hex}.bin" if comm.rank == 0 else None
        self.path = os.path.join(folder, comm.bcast(name, root=0))
        if comm.rank == 0:
            os.makedirs(folder, exist_ok=True)
        comm.Barrier()

    def write(self, slab):
        mode = MPI.MODE_CREATE | MPI.MODE_WRONLY
        handle = MPI.File.Open(self.comm, self.path, mode)
        handle.Write_at_all(self.comm.rank * slab.nbytes, slab)
        handle.Close()
        self.comm.Barrier()


def main():
    comm = MPI.COMM_WORLD
    n = 50
    x = np.arange(comm.rank * n, (comm.rank + 1) * n, dtype=np.float64)
    writer = FieldWriter(comm, "fields")
    writer.write(np.ascontiguousarray(x ** 2))

    if comm.rank == 0:
        back = np.fromfile(writer.path)
        whole = np.arange(comm.size * n, dtype=np.float64) ** 2
        print("whole field:", back.shape == whole.shape and bool((back == whole).all()))


if __name__ == "__main__":
    main()
