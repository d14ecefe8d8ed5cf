"""Upwind advection of a tracer blob on a doubly periodic 2-D grid."""
import argparse

import numpy as np
from mpi4py import MPI


def split_axis(n, parts, index):
    base, extra = divmod(n, parts)
    start = index * base + min(index, extra)
    return start, base + (1 if index < extra else 0)


class TracerGrid:
    def __init__(self, comm, nx, ny, cfl=0.4):
        dims = MPI.Compute_dims(comm.size, 2)
        self.cart = comm.Create_cart(dims, periods=[True, True], reorder=False)
        cx, cy = self.cart.coords
        self.x0, self.nx = split_axis(nx, dims[0], cx)
        self.y0, self.ny = split_axis(ny, dims[1], cy)
        self.hx, self.hy = 1.0 / nx, 1.0 / ny
        self.cfl = cfl
        self.west, self.east = self.cart.Shift(0, 1)
        self.south, self.north = self.cart.Shift(1, 1)
        self.column = MPI.DOUBLE.Create_vector(self.nx + 2, 1, self.ny + 2)
        self.column.Commit()

        x = (self.x0 + np.arange(self.nx) + 0.5) * self.hx
        y = (self.y0 + np.arange(self.ny) + 0.5) * self.hy
        self.xx, self.yy = np.meshgrid(x, y, indexing="ij")
        self.q = np.zeros((self.nx + 2, self.ny + 2))
        r2 = (self.xx - 0.5) ** 2 + (self.yy - 0.4) ** 2
        self.q[1:-1, 1:-1] = np.exp(-60.0 * r2)
        self.t = 0.0
        self.steps = 0

    def wind(self):
        """Positive, time dependent jet; constant along its own direction."""
        u = 0.6 + 0.5 * np.sin(2 * np.pi * self.yy + self.t) ** 2
        v = 0.3 + 1.4 * np.sin(0.5 * np.pi * self.xx) ** 4
        return u, v

    def exchange(self):
        q, cart = self.q, self.cart
        cart.Sendrecv(q[-2], dest=self.east, recvbuf=q[0], source=self.west)
        cart.Sendrecv(q[1], dest=self.west, recvbuf=q[-1], source=self.east)
        flat = q.reshape(-1)
        cart.Sendrecv([flat[self.ny:], 1, self.column], dest=self.north,
                      recvbuf=[flat, 1, self.column], source=self.south)
        cart.Sendrecv([flat[1:], 1, self.column], dest=self.south,
                      recvbuf=[flat[self.ny + 1:], 1, self.column], source=self.north)

    def stable_dt(self, u, v):
        rate = (u / self.hx + v / self.hy).max()
        return self.cfl / rate

    def step(self, t_end):
        u, v = self.wind()
        dt = min(self.stable_dt(u, v), t_end - self.t)
        self.exchange()
        q = self.q
        c = q[1:-1, 1:-1]
        c -= dt * (u * (c - q[:-2, 1:-1]) / self.hx + v * (c - q[1:-1, :-2]) / self.hy)
        self.t += dt
        self.steps += 1

    def advance(self, t_end):
        while self.t < t_end - 1e-12:
            self.step(t_end)

    def mass(self):
        local = self.q[1:-1, 1:-1].sum() * self.hx * self.hy
        return self.cart.allreduce(local)

    def close(self):
        self.column.Free()
        self.cart.Free()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nx", type=int, default=48)
    ap.add_argument("--ny", type=int, default=40)
    ap.add_argument("--t-end", type=float, default=0.5)
    ap.add_argument("--frames", type=int, default=4)
    args = ap.parse_args()

    grid = TracerGrid(MPI.COMM_WORLD, args.nx, args.ny)
    for frame in range(1, args.frames + 1):
        grid.advance(args.t_end * frame / args.frames)
        m = grid.mass()
        if grid.cart.rank == 0:
            print(f"t={grid.t:.3f} steps={grid.steps} mass={m:.6f}")
    grid.close()


if __name__ == "__main__":
    main()
