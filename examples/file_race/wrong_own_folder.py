"""A mesh that rank 0 writes to its own temporary folder, while each of the other ranks reads from a different one.

`mkdtemp` makes a folder for each rank that calls it. Only rank 0 finds the file; the others raise `FileNotFoundError`.

    mpirun -n 4 timeout 60 python examples/file_race/wrong_own_folder.py
"""

import os
import tempfile

import numpy as np
from mpi4py import MPI

POINTS = 2000


def make_mesh(points: int) -> np.ndarray:
    """The points of a mesh that is finer near its ends."""
    return 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, points))


def length(mesh: np.ndarray, rank: int, size: int) -> float:
    """The length of the curve ``y = x ** 1.5`` over the cells of one rank."""
    cells = np.array_split(np.arange(mesh.size - 1), size)[rank]
    x, y = mesh, mesh**1.5
    return float(np.hypot(x[cells + 1] - x[cells], y[cells + 1] - y[cells]).sum())


def main() -> None:
    """Write the mesh once, read it on all ranks, remove it when all have read it."""
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "mesh.npy")
    if rank == 0:
        np.save(path, make_mesh(POINTS))
    comm.Barrier()
    mesh = np.load(path)  #! JM805
    comm.Barrier()
    if rank == 0:
        os.remove(path)
    os.rmdir(folder)

    total = comm.allreduce(length(mesh, rank, size), op=MPI.SUM)
    if rank == 0:
        print(f"{size} ranks: length {total:.5f}, exact {(13**1.5 - 8) / 27:.5f}")


if __name__ == "__main__":
    main()
