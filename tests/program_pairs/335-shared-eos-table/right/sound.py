"""Largest sound speed in a gas whose cells are divided among the processes."""
import argparse

import numpy as np
from mpi4py import MPI

from eos import SharedTable


def cells(n, rank, size):
    x = np.linspace(0, 1, n)[rank * n // size:(rank + 1) * n // size]
    return 1.0 + 4.0 * x, 2.0 + 10.0 * np.sin(np.pi * x) ** 2


def sound_speed(table, rho, e, h=1e-3):
    slope = (table.lookup(rho + h, e) - table.lookup(rho - h, e)) / (2 * h)
    heat = (table.lookup(rho, e + h) - table.lookup(rho, e - h)) / (2 * h)
    return np.sqrt(np.maximum(slope + table.lookup(rho, e) / rho ** 2 * heat, 0.0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=1200)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    table = SharedTable(comm, 200, 150)
    rho, e = cells(args.cells, comm.rank, comm.size)
    c = sound_speed(table, rho, e)
    mean_p = comm.allreduce(float(table.lookup(rho, e).sum())) / args.cells
    fastest = comm.allreduce(float(c.max()), op=MPI.MAX)
    slowest = comm.allreduce(float(c.min()), op=MPI.MIN)
    if comm.rank == 0:
        print(f"mean pressure {mean_p:.5f}, sound speed {slowest:.5f} to {fastest:.5f}")
    del table.pressure
    table.free()


if __name__ == "__main__":
    main()
