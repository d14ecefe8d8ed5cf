"""Damped Jacobi iteration for the 2-D Poisson equation with periodic saves."""
import functools
import os

import numpy as np
from mpi4py import MPI


def on_root(method):
    """Run a method on rank 0 of ``self.comm`` and skip it elsewhere."""

    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        if self.comm.rank == 0:
            return method(self, *args, **kwargs)
        return None

    return wrapper


class Poisson:
    def __init__(self, comm, n=48, omega=0.9):
        self.comm = comm
        self.n = n
        self.omega = omega
        rows = np.array_split(np.arange(n), comm.size)[comm.rank]
        self.u = np.zeros((rows.size + 2, n))
        y, x = np.meshgrid(rows / (n - 1), np.linspace(0, 1, n), indexing="ij")
        self.f = np.sin(np.pi * x) * np.sin(2 * np.pi * y) / (n - 1) ** 2
        self.up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.down = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL

    def sweep(self):
        u, comm = self.u, self.comm
        comm.Sendrecv(u[1], dest=self.up, recvbuf=u[-1], source=self.down)
        comm.Sendrecv(u[-2], dest=self.down, recvbuf=u[0], source=self.up)
        new = u[1:-1].copy()
        new[:, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
                               + self.f[:, 1:-1])
        u[1:-1] += self.omega * (new - u[1:-1])

    def assemble(self):
        blocks = self.comm.gather(self.u[1:-1], root=0)
        return np.vstack(blocks) if blocks is not None else None

    def save(self, iteration, folder="."):
        self._write(self.assemble(), iteration, folder)

    @on_root
    def _write(self, field, iteration, folder):
        name = os.path.join(folder, f"poisson_{iteration:05d}.npy")
        np.save(name, field)
        print(f"{name}: norm {np.linalg.norm(field):.10e}")

    @on_root
    def banner(self):
        print(f"grid {self.n} x {self.n} on {self.comm.size} processes")


def main():
    solver = Poisson(MPI.COMM_WORLD)
    solver.banner()
    for it in range(1, 121):
        solver.sweep()
        if it % 60 == 0:
            solver.save(it)


if __name__ == "__main__":
    main()
