"""Hot plume carried by the wind, with radiative cooling; explicit steps of variable length."""
import argparse

import numpy as np
from mpi4py import MPI


class Atmosphere:
    def __init__(self, comm, cells, length=1000.0):
        self.comm = comm
        lo, hi = cells * comm.rank // comm.size, cells * (comm.rank + 1) // comm.size
        self.dx = length / cells
        self.x = (np.arange(lo, hi) + 0.5) * self.dx
        self.wind = 5.0 + 2.0 * np.sin(2 * np.pi * self.x / length)
        self.t = 280.0 + 900.0 * np.exp(-((self.x - 150.0) / 30.0) ** 2)
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size

    def upwind_value(self):
        left = np.empty(1)
        self.comm.Sendrecv(self.t[-1:].copy(), dest=self.right, recvbuf=left, source=self.left)
        return np.concatenate([left, self.t[:-1]])

    def courant_limit(self):
        return 0.5 * self.dx / self.wind.max()

    def cooling_rate(self):
        return 4e-11 * (self.t ** 4 - 280.0 ** 4)

    def cooling_limit(self):
        """No cell may lose more than 0.5 % of its temperature in a step."""
        return 0.005 * float((self.t / np.maximum(self.cooling_rate(), 1e-12)).min())

    def advance(self, dt):
        upwind = self.upwind_value()
        self.t = self.t - dt * (self.wind * (self.t - upwind) / self.dx + self.cooling_rate())


def time_step(air, remaining):
    local = min(air.courant_limit(), air.cooling_limit())
    dt = air.comm.allreduce(local, op=MPI.MIN)
    return min(dt, remaining)


def run(air, t_end):
    t, steps = 0.0, 0
    while t < t_end:
        dt = time_step(air, t_end - t)
        air.advance(dt)
        t += dt
        steps += 1
    return steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=240)
    parser.add_argument("--t-end", type=float, default=60.0)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    air = Atmosphere(comm, args.cells)
    steps = run(air, args.t_end)
    hottest = comm.allreduce((float(air.t.max()), float(air.x[air.t.argmax()])), op=MPI.MAX)
    if comm.rank == 0:
        print(f"{steps} steps, hottest {hottest[0]:.3f} K at x = {hottest[1]:.1f} m")


if __name__ == "__main__":
    main()
