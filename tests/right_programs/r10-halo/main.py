"""1-D advection-diffusion with persistent halo requests and overlap."""
import numpy as np
from mpi4py import MPI

N = 96
STEPS = 120
LEFT_TO_RIGHT, RIGHT_TO_LEFT = 10, 11


class Field:
    """Periodic block of the ring with one ghost cell at each end."""

    def __init__(self, comm, n):
        self.comm = comm
        base, extra = divmod(n, comm.size)
        self.n = base + (comm.rank < extra)
        self.first = comm.rank * base + min(comm.rank, extra)
        self.u = np.zeros(self.n + 2)
        self.sendbuf = np.zeros(2)
        self.recvbuf = np.zeros(2)
        left = (comm.rank - 1) % comm.size
        right = (comm.rank + 1) % comm.size
        s, r = self.sendbuf, self.recvbuf
        self.requests = [
            comm.Recv_init(r[0:1], source=left, tag=LEFT_TO_RIGHT),
            comm.Recv_init(r[1:2], source=right, tag=RIGHT_TO_LEFT),
            comm.Send_init(s[0:1], dest=left, tag=RIGHT_TO_LEFT),
            comm.Send_init(s[1:2], dest=right, tag=LEFT_TO_RIGHT),
        ]

    def start(self):
        self.sendbuf[0] = self.u[1]
        self.sendbuf[1] = self.u[-2]
        MPI.Prequest.Startall(self.requests)

    def finish(self):
        MPI.Request.Waitall(self.requests)
        self.u[0], self.u[-1] = self.recvbuf

    def free(self):
        for req in self.requests:
            req.Free()
        self.requests = []


def stencil(u, lo, hi, c, d):
    """New values of the cells lo..hi-1 (indices with ghosts)."""
    mid = u[lo:hi]
    return (mid - c * (mid - u[lo - 1:hi - 1])
            + d * (u[lo + 1:hi + 1] - 2.0 * mid + u[lo - 1:hi - 1]))


def step(field, c, d):
    new = np.empty_like(field.u)
    field.start()
    if field.n > 2:                       # interior needs no ghost
        new[2:-2] = stencil(field.u, 2, field.n, c, d)
    field.finish()
    new[1:2] = stencil(field.u, 1, 2, c, d)
    new[-2:-1] = stencil(field.u, field.n, field.n + 1, c, d)
    field.u = new


def initial(i):
    return np.exp(-((i - N / 3) / 6.0) ** 2)


def serial():
    u = initial(np.arange(N))
    c, d = 0.3, 0.2
    for _ in range(STEPS):
        um, up = np.roll(u, 1), np.roll(u, -1)
        u = u - c * (u - um) + d * (up - 2 * u + um)
    return u


def main():
    comm = MPI.COMM_WORLD
    if comm.size > N:
        raise SystemExit(f"at most {N} ranks, one cell each")
    field = Field(comm, N)
    field.u[1:-1] = initial(np.arange(field.first, field.first + field.n))
    mass0 = comm.allreduce(field.u[1:-1].sum())
    for k in range(STEPS):
        step(field, 0.3, 0.2)
        if k % 40 == 39:
            mass = comm.allreduce(field.u[1:-1].sum())
            assert abs(mass - mass0) < 1e-10
    field.free()

    counts = comm.gather(field.n, root=0)
    if comm.rank == 0:
        full = np.empty(N)
        comm.Gatherv(field.u[1:-1], [full, counts], root=0)
        np.testing.assert_allclose(full, serial(), atol=1e-12)
        print(f"peak {full.max():.5f} at {full.argmax()}, mass {mass0:.6f}")
    else:
        comm.Gatherv(field.u[1:-1], None, root=0)


if __name__ == "__main__":
    main()
