"""Predator-prey parameter sweep with progress messages."""
import numpy as np
from mpi4py import MPI

from farm.progress import ProgressCollector, report
from farm.tags import RESULT

GRID = [(a, b) for a in np.linspace(0.6, 1.4, 6) for b in np.linspace(0.2, 0.8, 5)]


def simulate(a, b, steps=800, dt=0.02):
    x, y, peak = 1.0, 0.5, 0.0
    for _ in range(steps):
        x, y = x + dt * x * (a - b * y), y + dt * y * (-0.5 + b * x)
        peak = max(peak, x)
    return peak


def worker(comm):
    mine = range(comm.rank - 1, len(GRID), comm.size - 1)
    for n, k in enumerate(mine):
        report(comm, n, len(mine))
        comm.send((k, simulate(*GRID[k])), dest=0, tag=RESULT)


def master(comm):
    progress = ProgressCollector(comm)
    table = {}
    while len(table) < len(GRID):
        progress.drain()
        k, peak = comm.recv(source=MPI.ANY_SOURCE, tag=RESULT)
        table[k] = peak
    progress.expect(len(GRID))
    best = max(table, key=table.get)
    print(f"{progress.seen} progress messages, {len(table)} results")
    print("largest peak %.3f at a=%.2f b=%.2f" % (table[best], *GRID[best]))


def main():
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        master(comm)
    else:
        worker(comm)
    comm.Barrier()


if __name__ == "__main__":
    main()
