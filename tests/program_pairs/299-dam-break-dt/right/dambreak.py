"""Dam break: shallow water equations in 1-D with the Rusanov flux."""
import numpy as np
from mpi4py import MPI

G = 9.81


class ShallowWater:
    def __init__(self, comm, cells, length=100.0, cfl=0.9):
        self.comm = comm
        self.n = cells // comm.size
        self.dx = length / (self.n * comm.size)
        self.cfl = cfl
        self.time = 0.0
        x = (comm.rank * self.n + np.arange(-1, self.n + 1) + 0.5) * self.dx
        self.q = np.zeros((2, self.n + 2))
        self.q[0] = np.where(x < 30.0, 10.0, 0.5)
        self.lo = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.hi = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    @property
    def speed(self):
        h, hu = self.q
        return np.abs(hu / h) + np.sqrt(G * h)

    def stable_dt(self):
        local = self.cfl * self.dx / self.speed[1:-1].max()
        return self.comm.allreduce(local, op=MPI.MIN)

    def fill_ghosts(self):
        q = self.q
        got = self.comm.sendrecv(q[:, 1].copy(), dest=self.lo, source=self.hi)
        q[:, -1] = got if got is not None else q[:, -2] * [1, -1]
        got = self.comm.sendrecv(q[:, -2].copy(), dest=self.hi, source=self.lo)
        q[:, 0] = got if got is not None else q[:, 1] * [1, -1]

    def flux(self):
        h, hu = self.q
        f = np.array([hu, hu * hu / h + 0.5 * G * h * h])
        a = np.maximum(self.speed[:-1], self.speed[1:])
        return 0.5 * (f[:, :-1] + f[:, 1:]) - 0.5 * a * np.diff(self.q, axis=1)

    def step(self):
        self.fill_ghosts()
        dt = self.stable_dt()
        f = self.flux()
        self.q[:, 1:-1] -= dt / self.dx * np.diff(f, axis=1)
        self.time += dt

    def volume(self):
        return self.comm.allreduce(self.q[0, 1:-1].sum() * self.dx)


def main():
    sim = ShallowWater(MPI.COMM_WORLD, 600)
    v0 = sim.volume()
    steps = 0
    while sim.time < 2.0 and steps < 5000:
        sim.step()
        steps += 1
    v1 = sim.volume()
    deepest = sim.comm.reduce(sim.q[0, 1:-1].max(), op=MPI.MAX, root=0)
    shallowest = sim.comm.reduce(sim.q[0, 1:-1].min(), op=MPI.MIN, root=0)
    if sim.comm.rank == 0:
        print(f"{steps} steps, t = {sim.time:.3f}")
        print(f"volume {v0:.6f} -> {v1:.6f}, depth {shallowest:.4f} .. {deepest:.4f}")


if __name__ == "__main__":
    main()
