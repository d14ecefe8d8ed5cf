"""D1Q3 lattice Boltzmann diffusion with overlapped halo exchange."""
import argparse
import numpy as np
from mpi4py import MPI

W = np.array([2 / 3, 1 / 6, 1 / 6])
C = np.array([0, 1, -1])


class Halo:
    """Non-blocking exchange of the outermost cells."""

    def __init__(self, comm):
        self.comm = comm
        self.right = (comm.rank + 1) % comm.size
        self.left = (comm.rank - 1) % comm.size
        self.pending = []
        self._keep = []

    def start(self, f):
        """f has shape (3, n+2); column 0 and -1 are ghosts"""
        c = self.comm
        out_r = np.ascontiguousarray(f[1, -2:-1])
        out_l = np.ascontiguousarray(f[2, 1:2])
        self._keep = [out_r, out_l]
        self.pending = [
            c.Irecv(f[1, 0:1], source=self.left, tag=20),
            c.Irecv(f[2, -1:], source=self.right, tag=21),
            c.Isend(out_r, dest=self.right, tag=20),
            c.Isend(out_l, dest=self.left, tag=21),
        ]

    def finish(self):
        MPI.Request.Waitall(self.pending)
        self.pending = []
        self._keep = []


class Lattice:
    def __init__(self, comm, cells, tau):
        self.comm = comm
        self.tau = tau
        self.n = cells // comm.size
        self.x = comm.rank * self.n + np.arange(self.n)
        rho = 1.0 + 0.5 * np.sin(2 * np.pi * self.x / (self.n * comm.size))
        self.f = np.zeros((3, self.n + 2))
        self.f[:, 1:-1] = W[:, None] * rho
        self.halo = Halo(comm)

    @property
    def rho(self):
        return self.f[:, 1:-1].sum(axis=0)

    def collide(self):
        rho = self.rho
        self.f[:, 1:-1] += (W[:, None] * rho - self.f[:, 1:-1]) / self.tau

    def _stream_inner(self, g):
        f = self.f
        g[0, 1:-1] = f[0, 1:-1]
        g[1, 2:-1] = f[1, 1:-2]
        g[2, 1:-2] = f[2, 2:-1]

    def _stream_border(self, g):
        f = self.f
        g[1, 1] = f[1, 0]
        g[2, -2] = f[2, -1]

    def step(self):
        self.collide()
        self.halo.start(self.f)
        g = np.zeros_like(self.f)
        self._stream_inner(g)
        self._stream_border(g)
        self.halo.finish()
        self.f = g

    def mass(self):
        return self.comm.allreduce(float(self.rho.sum()), op=MPI.SUM)


def amplitude(lat):
    n = lat.n * lat.comm.size
    s = float((lat.rho * np.sin(2 * np.pi * lat.x / n)).sum())
    return 2 * lat.comm.allreduce(s, op=MPI.SUM) / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cells", type=int, default=60)
    p.add_argument("--tau", type=float, default=0.9)
    p.add_argument("--steps", type=int, default=200)
    a = p.parse_args()
    comm = MPI.COMM_WORLD
    if a.cells % comm.size:
        raise SystemExit("cells must be a multiple of the number of ranks")
    lat = Lattice(comm, a.cells, a.tau)
    m0 = lat.mass()
    for _ in range(a.steps):
        lat.step()
    m1, amp = lat.mass(), amplitude(lat)
    D = (a.tau - 0.5) / 3
    k = 2 * np.pi / a.cells
    if comm.rank == 0:
        print(f"mass {m0:.6f} -> {m1:.6f}")
        print(f"amplitude {amp:.5f}, theory {0.5 * np.exp(-D * k * k * a.steps):.5f}")


if __name__ == "__main__":
    main()
