"""1-D wave equation with persistent halo requests."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Params:
    n: int = 211
    steps: int = 300
    courant: float = 0.8


class Halo:
    def __init__(self, comm, field):
        left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        right = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        self.requests = [
            comm.Recv_init(field[:1], source=left, tag=1),
            comm.Recv_init(field[-1:], source=right, tag=2),
            comm.Send_init(field[1:2], dest=left, tag=2),
            comm.Send_init(field[-2:-1], dest=right, tag=1),
        ]

    def start(self):
        MPI.Prequest.Startall(self.requests)

    def finish(self):
        MPI.Prequest.Waitall(self.requests)

    def free(self):
        for request in self.requests:
            request.Free()


class String:
    def __init__(self, comm, p):
        base, extra = divmod(p.n, comm.size)
        self.comm, self.p = comm, p
        self.nlocal = base + (comm.rank < extra)
        first = comm.rank * base + min(comm.rank, extra)
        x = (first + 1 + np.arange(self.nlocal)) / (p.n + 1)
        self.u = np.zeros(self.nlocal + 2)
        self.u[1:-1] = np.exp(-400 * (x - 0.35) ** 2)
        self.old = self.u.copy()
        self.new = np.zeros_like(self.u)
        self.halo = Halo(comm, self.u)

    def update(self, s):
        c2 = self.p.courant ** 2
        u = self.u
        left = slice(s.start - 1, s.stop - 1)
        right = slice(s.start + 1, s.stop + 1)
        self.new[s] = 2 * u[s] - self.old[s] + c2 * (u[left] - 2 * u[s] + u[right])

    def step(self):
        n = self.nlocal
        self.halo.start()
        self.update(slice(2, n))
        self.halo.finish()
        self.update(slice(1, 2))
        self.update(slice(n, n + 1))
        self.old[1:-1] = self.u[1:-1]
        self.u[1:-1] = self.new[1:-1]

    def gather(self):
        parts = self.comm.gather(self.u[1:-1], root=0)
        return np.concatenate(parts) if parts is not None else None


def main():
    comm = MPI.COMM_WORLD
    p = Params()
    string = String(comm, p)
    for _ in range(p.steps):
        string.step()
    full = string.gather()
    string.halo.free()
    if comm.rank == 0:
        print(f"sum {full.sum():.10f}  max {full.max():.8f}  at {int(full.argmax())}")


if __name__ == "__main__":
    main()
