import os

import numpy as np
from mpi4py import MPI

from mesh import build_mesh, element_areas

MESH_FILE = "mesh.npz"


class Problem:
    def __init__(self, comm, n):
        self.comm = comm
        self.n = n

    def prepare(self):
        if self.comm.rank == 0:
            points, tris = build_mesh(self.n)
            np.savez(MESH_FILE, points=points, tris=tris)
        self.comm.Barrier()

    def load(self):
        with np.load(MESH_FILE) as data:
            self.points = data["points"]
            tris = data["tris"]
        self.tris = tris[self.comm.rank::self.comm.size]

    def area(self):
        part = element_areas(self.points, self.tris).sum()
        return self.comm.allreduce(float(part), op=MPI.SUM)

    def cleanup(self):
        self.comm.Barrier()
        if self.comm.rank == 0:
            os.remove(MESH_FILE)


if __name__ == "__main__":
    problem = Problem(MPI.COMM_WORLD, 40)
    problem.prepare()
    problem.load()
    total = problem.area()
    if problem.comm.rank == 0:
        print("area %.8f" % total)
        assert abs(total - 1) < 1e-10
    problem.cleanup()
