"""Direct N-body accelerations with a ring ("systolic") pipeline.

Every rank keeps its own bodies; a travelling block of positions and masses
goes once around the ring.

    mpirun -n 3 python nbody_ring.py [bodies] [steps]
"""
import sys

import numpy as np
from mpi4py import MPI

G = 1.0
EPS2 = 0.05 ** 2


def accel(pos, block):
    """Acceleration at pos (n,3) from block (m,4): x, y, z, mass."""
    acc = np.zeros_like(pos)
    for start in range(0, len(pos), 256):
        p = pos[start:start + 256]
        d = block[None, :, :3] - p[:, None, :]
        r2 = (d ** 2).sum(axis=2) + EPS2
        acc[start:start + 256] = G * (d * (block[:, 3] / r2 ** 1.5)[:, :, None]).sum(axis=1)
    return acc


class Ring:
    def __init__(self, comm):
        self.comm = comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        self.next = (self.rank + 1) % self.size
        self.prev = (self.rank - 1) % self.size

    def total_accel(self, pos, mass):
        block = np.empty((len(pos), 4))
        block[:, :3] = pos
        block[:, 3] = mass
        incoming = np.empty_like(block)
        acc = np.zeros_like(pos)
        for step in range(self.size):
            last = step == self.size - 1
            if not last:
                reqs = [self.comm.Irecv(incoming, source=self.prev, tag=step),
                        self.comm.Isend(block, dest=self.next, tag=step)]
            acc += accel(pos, block)
            if not last:
                MPI.Request.Waitall(reqs)
                block, incoming = incoming, block
        return acc


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1200
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    n = max(n - n % size, size)
    nloc = n // size

    rng = np.random.default_rng(1234)
    allpos = rng.normal(size=(n, 3))
    allvel = 0.3 * rng.normal(size=(n, 3))
    mine = slice(rank * nloc, (rank + 1) * nloc)
    pos, vel = allpos[mine].copy(), allvel[mine].copy()
    mass = np.full(nloc, 1.0 / n)

    ring = Ring(comm)
    dt = 0.01
    acc = ring.total_accel(pos, mass)
    for _ in range(steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = ring.total_accel(pos, mass)
        vel += 0.5 * dt * acc

    momentum = comm.allreduce((vel * mass[:, None]).sum(axis=0), op=MPI.SUM)
    start = (allvel / n).sum(axis=0)
    full = np.empty((n, 3)) if rank == 0 else None
    comm.Gather(pos, full, root=0)
    if rank == 0:
        drift = np.abs(momentum - start).max()
        print(f"n={n} ranks={size} momentum drift {drift:.2e}")
        print("checksum %.12f" % np.abs(full).sum())
        if drift > 1e-10:
            print("momentum is not conserved!")
            comm.Abort(1)


if __name__ == "__main__":
    main()
