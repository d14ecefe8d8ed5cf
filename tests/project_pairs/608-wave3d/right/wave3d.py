"""3D acoustic wave equation, leapfrog, pencil halo along y with overlap."""
import os
import numpy as np
from mpi4py import MPI

NX, NY, NZ = 96, 48, 96
NT = int(os.environ.get("WAVE_NT", 40))
CFL = 0.4

# message tags
DOWNWARD, UPWARD = 101, 102


class Halo:
    """Packs, sends and unpacks the two y faces of a field (periodic in y)."""

    def __init__(self, comm, shape):
        self.comm = comm
        self.lower = (comm.rank - 1) % comm.size
        self.upper = (comm.rank + 1) % comm.size
        face = (shape[0], shape[2])
        self.send_lo = np.empty(face)
        self.send_hi = np.empty(face)
        self.recv_lo = np.empty(face)
        self.recv_hi = np.empty(face)
        self.requests = []

    def start(self, u):
        c = self.comm
        self.requests = [
            c.Irecv(self.recv_lo, source=self.lower, tag=UPWARD),
            c.Irecv(self.recv_hi, source=self.upper, tag=DOWNWARD),
        ]
        np.copyto(self.send_lo, u[:, 1, :])
        self.requests.append(c.Isend(self.send_lo, dest=self.lower, tag=DOWNWARD))
        np.copyto(self.send_hi, u[:, -2, :])
        self.requests.append(c.Isend(self.send_hi, dest=self.upper, tag=UPWARD))

    def finish(self, u):
        MPI.Request.Waitall(self.requests)
        self.requests.clear()
        u[:, 0, :] = self.recv_lo
        u[:, -1, :] = self.recv_hi


def laplacian(u, js):
    """7-point Laplacian in rows js (slice in y); x and z are periodic."""
    c = u[:, js, :]
    jm = slice(js.start - 1, js.stop - 1)
    jp = slice(js.start + 1, js.stop + 1)
    return (np.roll(c, 1, 0) + np.roll(c, -1, 0) + np.roll(c, 1, 2) + np.roll(c, -1, 2)
            + u[:, jm, :] + u[:, jp, :] - 6.0 * c)


def main():
    comm = MPI.COMM_WORLD
    ny_all = [len(p) for p in np.array_split(np.arange(NY), comm.size)]
    ny = ny_all[comm.rank]
    y0 = sum(ny_all[:comm.rank])
    if min(ny_all) < 3:
        # same test on all ranks
        if comm.rank == 0:
            print("too many ranks for this grid")
        return

    shape = (NX, ny + 2, NZ)
    x = np.arange(NX)[:, None, None] / NX - 0.5
    y = (np.arange(y0, y0 + ny)[None, :, None] + 0.5) / NY - 0.4
    z = np.arange(NZ)[None, None, :] / NZ - 0.5

    u = np.zeros(shape)
    u[:, 1:-1, :] = np.exp(-((x - 0.1) ** 2 + y ** 2 + z ** 2) / 0.01)
    u_old = u.copy()
    halo = Halo(comm, shape)
    k = CFL ** 2

    t_start = MPI.Wtime()
    for n in range(NT):
        halo.start(u)
        new = np.empty_like(u)
        inner = slice(2, ny)
        new[:, inner, :] = 2 * u[:, inner, :] - u_old[:, inner, :] + k * laplacian(u, inner)
        halo.finish(u)
        for edge in (slice(1, 2), slice(ny, ny + 1)):
            new[:, edge, :] = 2 * u[:, edge, :] - u_old[:, edge, :] + k * laplacian(u, edge)
        u_old, u = u, new

        if (n + 1) % 10 == 0:
            own = u[:, 1:-1, :]
            norm = comm.allreduce(float((own ** 2).sum()))
            peak = comm.reduce(float(np.abs(own).max()), op=MPI.MAX, root=0)
            if comm.rank == 0:
                print(f"step {n + 1:4d}  |u|^2 = {norm:.8e}  peak = {peak:.5f}", flush=True)

    elapsed = comm.reduce(MPI.Wtime() - t_start, op=MPI.MAX, root=0)
    if comm.rank == 0:
        print(f"{NX * NY * NZ * NT / elapsed / 1e6:.1f} Mcells/s on {comm.size} ranks")


if __name__ == "__main__":
    main()
