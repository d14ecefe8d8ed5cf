"""Gray-Scott reaction diffusion, columns distributed over processes."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True)
class Params:
    du: float = 0.16
    dv: float = 0.08
    feed: float = 0.035
    kill: float = 0.065
    dt: float = 1.0


class EdgeExchanger:
    """Periodic exchange of the first and last interior columns."""

    def __init__(self, comm, nrows):
        self.comm = comm
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size
        self._pack = np.empty(nrows)
        self._ghost_left = np.empty(nrows)
        self._ghost_right = np.empty(nrows)

    def __call__(self, field):
        reqs = [self.comm.Irecv(self._ghost_left, source=self.left, tag=1),
                self.comm.Irecv(self._ghost_right, source=self.right, tag=0)]
        for tag, (peer, column) in enumerate([(self.left, 1), (self.right, -2)]):
            self._pack[:] = field[:, column]
            reqs.append(self.comm.Isend(self._pack, dest=peer, tag=tag))
        MPI.Request.Waitall(reqs)
        field[:, 0] = self._ghost_left
        field[:, -1] = self._ghost_right


def laplacian(a):
    out = np.zeros_like(a)
    out[:, 1:-1] = (np.roll(a, 1, 0) + np.roll(a, -1, 0) - 4 * a)[:, 1:-1]
    out[:, 1:-1] += a[:, 2:] + a[:, :-2]
    return out


def simulate(comm, nrows=4000, ncols=60, nsteps=25, p=Params()):
    columns = np.array_split(np.arange(ncols), comm.size)[comm.rank]
    shape = (nrows, columns.size + 2)
    u, v = np.ones(shape), np.zeros(shape)
    seeded = (columns > 10) & (columns < 45)
    v[1000:3000, 1:-1][:, seeded] = 0.25
    v[:, 1:-1] += 0.01 * np.sin(np.arange(nrows))[:, None] * np.cos(columns)[None, :]

    exchange = EdgeExchanger(comm, nrows)
    for _ in range(nsteps):
        exchange(u)
        exchange(v)
        uvv = u * v * v
        u += p.dt * (p.du * laplacian(u) - uvv + p.feed * (1 - u))
        v += p.dt * (p.dv * laplacian(v) + uvv - (p.feed + p.kill) * v)
    return u[:, 1:-1], v[:, 1:-1]


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    u, v = simulate(world)
    total = np.array([u.sum(), v.sum(), (u * v).sum()])
    world.Allreduce(MPI.IN_PLACE, total)
    if world.rank == 0:
        print("sums: %.8f %.8f %.8f" % tuple(total))
