"""Block-decomposed finite-volume mesh with one ghost cell per side."""
import numpy as np
from mpi4py import MPI


def block_bounds(n, size, rank):
    base, extra = divmod(n, size)
    start = rank * base + min(rank, extra)
    return start, start + base + (1 if rank < extra else 0)


class StretchedMesh:
    """Cells cluster around ``centre``; the local part includes ghost cells."""

    def __init__(self, comm, ncells, length=1.0, centre=0.5, focus=3.0):
        self.comm = comm
        self.ncells = ncells
        s = np.linspace(-1.0, 1.0, ncells + 1)
        shape = np.sinh(focus * s) / np.sinh(focus)
        edges = length * (centre + (1.0 - centre) * shape)
        self.start, self.stop = block_bounds(ncells, comm.size, comm.rank)
        self.edges = edges[self.start:self.stop + 1]
        self.widths = np.diff(self.edges)
        self.centres = 0.5 * (self.edges[1:] + self.edges[:-1])
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL

    @property
    def nlocal(self):
        return self.stop - self.start

    def new_field(self):
        return np.zeros(self.nlocal + 2)

    def padded_centres(self):
        xc = self.new_field()
        xc[1:-1] = self.centres
        xc[0] = self.edges[0] - 0.5 * self.widths[0]
        xc[-1] = self.edges[-1] + 0.5 * self.widths[-1]
        exchange(self, xc)
        return xc

    def integral(self, interior):
        return self.comm.allreduce(float(interior @ self.widths), op=MPI.SUM)


def exchange(mesh, padded):
    """Fill the two ghost cells of ``padded`` from the neighbouring ranks."""
    comm = mesh.comm
    comm.Sendrecv(padded[1:2], dest=mesh.left, sendtag=1,
                  recvbuf=padded[-1:], source=mesh.right, recvtag=1)
    comm.Sendrecv(padded[-2:-1], dest=mesh.right, sendtag=2,
                  recvbuf=padded[0:1], source=mesh.left, recvtag=2)
