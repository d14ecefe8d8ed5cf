"""Adaptive explicit diffusion with local stiffness: the global time step is
the MIN over ranks of what each block tolerates; rank 0's clock limits the run."""
import math
import time

import numpy as np
from mpi4py import MPI

N = 80
T_END = 12.0


class Block:
    def __init__(self, comm):
        self.comm = comm
        self.lo, self.hi = N * comm.rank // comm.size, N * (comm.rank + 1) // comm.size
        # neighbours with cells; the ends of the bar are insulated
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
        i = np.arange(self.lo, self.hi)
        self.u = np.where(np.abs(i - 20) < 8, 1.0, 0.0)

    def with_ghosts(self):
        g = np.empty(len(self.u) + 2)
        g[1:-1] = self.u
        g[0], g[-1] = self.u[0], self.u[-1]       # stays so next to PROC_NULL
        self.comm.Sendrecv(g[1:2], self.left, 5, recvbuf=g[-1:], source=self.right, recvtag=5)
        self.comm.Sendrecv(g[-2:-1], self.right, 6, recvbuf=g[:1], source=self.left, recvtag=6)
        return g


def conductivity(t):
    """Grows and relaxes with time, different along the bar."""
    faces = np.arange(N + 1)
    return 0.4 + 0.3 * np.sin(0.1 * faces + t) ** 2


def local_dt(kappa_faces):
    return 0.4 / float(kappa_faces.max()) / 2.0


def update(ghosted, kappa, dt):
    flux = kappa * np.diff(ghosted)
    return ghosted[1:-1] + dt * np.diff(flux)


def choose_dt(comm, t, kappa_faces):
    """Common step and the rank that limits it (alike on all ranks)."""
    dt, limiting = comm.allreduce((local_dt(kappa_faces), comm.rank), op=MPI.MINLOC)
    return min(dt, T_END - t), limiting


def serial(times):
    u = np.where(np.abs(np.arange(N) - 20) < 8, 1.0, 0.0)
    for t, dt in times:
        g = np.concatenate([u[:1], u, u[-1:]])
        u = update(g, conductivity(t), dt)
    return u


def main():
    comm = MPI.COMM_WORLD
    if comm.size > N:
        raise SystemExit("more ranks than cells")
    block = Block(comm)
    started = time.perf_counter()
    t, log, out_of_time = 0.0, [], False
    blame = np.zeros(comm.size, dtype=int)
    while t < T_END and not out_of_time:
        kappa = conductivity(t)[block.lo:block.hi + 1]
        dt, limiting = choose_dt(comm, t, kappa)
        block.u = update(block.with_ghosts(), kappa, dt)
        log.append((t, dt))
        blame[limiting] += 1
        # t + (T_END - t) may miss T_END by rounding, and does so everywhere alike
        t = T_END if math.isclose(t + dt, T_END, rel_tol=1e-12) else t + dt
        if len(log) % 10 == 0:
            late = time.perf_counter() - started > 45.0 if comm.rank == 0 else None
            out_of_time = comm.bcast(late, root=0)

    assert not out_of_time, "machine too slow for the test"
    assert abs(sum(dt for _, dt in log) - T_END) < 1e-9
    heat = comm.allreduce(float(block.u.sum()))
    assert abs(heat - 15.0) < 1e-9
    counts = comm.allgather(len(block.u))
    full = np.empty(N)
    comm.Allgatherv(block.u, [full, counts])
    np.testing.assert_allclose(full, serial(log), atol=1e-12)
    assert blame.sum() == len(log)
    if comm.rank == 0:
        print(f"{len(log)} steps, dt from {min(d for _, d in log):.4f}, limited by {blame.tolist()}")


if __name__ == "__main__":
    main()
