"""Ising model, rows of a periodic lattice divided over ranks, checkerboard updates."""
import argparse

import numpy as np
from mpi4py import MPI

HALO = 101


class Strip:
    def __init__(self, comm, rows, cols, seed):
        self.cart = comm.Create_cart([comm.size], periods=[True])
        self.above, self.below = self.cart.Shift(0, 1)
        base, extra = divmod(rows, comm.size)
        self.n = base + (comm.rank < extra)
        self.first = comm.rank * base + min(comm.rank, extra)
        self.rows, self.cols = rows, cols
        self.rng = np.random.default_rng(seed)
        self.spin = np.empty((self.n + 2, cols), dtype=np.int8)
        self.spin[1:-1] = self.mine(np.where(self.rng.random((rows, cols)) < 0.5, 1, -1))
        i = self.first + np.arange(self.n)[:, None]
        self.colour = (i + np.arange(cols)[None, :]) % 2

    def mine(self, full):
        return full[self.first:self.first + self.n]

    def exchange(self):
        s, cart = self.spin, self.cart
        requests = [
            cart.Irecv(s[0], source=self.above, tag=HALO),
            cart.Irecv(s[-1], source=self.below, tag=HALO),
            cart.Isend(s[1], dest=self.above, tag=HALO),
            cart.Isend(s[-2], dest=self.below, tag=HALO),
        ]
        MPI.Request.Waitall(requests)

    def neighbours(self):
        s = self.spin.astype(int)
        inner = s[1:-1]
        return s[:-2] + s[2:] + np.roll(inner, 1, axis=1) + np.roll(inner, -1, axis=1)

    def sweep(self, beta):
        for colour in (0, 1):
            self.exchange()
            inner = self.spin[1:-1]
            cost = 2 * inner * self.neighbours()
            u = self.mine(self.rng.random((self.rows, self.cols)))
            flip = (u < np.exp(-beta * cost)) & (self.colour == colour)
            inner[flip] *= -1

    def observables(self):
        self.exchange()
        s = self.spin.astype(int)
        energy = -(s[1:-1] * (s[2:] + np.roll(s[1:-1], 1, axis=1))).sum()
        sums = np.array([energy, s[1:-1].sum()])
        self.cart.Allreduce(MPI.IN_PLACE, sums)
        return sums / (self.rows * self.cols)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=22)
    ap.add_argument("--cols", type=int, default=24)
    ap.add_argument("--sweeps", type=int, default=60)
    ap.add_argument("--beta", type=float, default=0.42)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    if args.rows % 2 or args.cols % 2 or args.rows < comm.size:
        raise SystemExit("rows and cols must be even, and each rank needs a row")
    strip = Strip(comm, args.rows, args.cols, seed=6)
    for sweep in range(1, args.sweeps + 1):
        strip.sweep(args.beta)
        if sweep % 20 == 0:
            e, m = strip.observables()
            if comm.rank == 0:
                print(f"{sweep:4d}  e = {e:+.5f}  m = {m:+.5f}")
    strip.cart.Free()


if __name__ == "__main__":
    main()
