"""Driver of the advection runs: reads a JSON config and advances a pulse."""
import argparse
import json
import sys

import numpy as np
from mpi4py import MPI

from config import check, DEFAULTS


def load(path):
    with open(path) as fh:
        cfg = dict(DEFAULTS)
        cfg.update(json.load(fh))
    return cfg


def advect(cfg, rank, size):
    n = cfg["cells"] // size
    dx = 1.0 / cfg["cells"]
    dt = cfg["cfl"] * dx / abs(cfg["velocity"])
    x = (rank * n + np.arange(n) + 0.5) * dx
    u = np.exp(-200.0 * (x - 0.3) ** 2)
    comm = MPI.COMM_WORLD
    left, right = (rank - 1) % size, (rank + 1) % size
    for _ in range(cfg["steps"]):
        ghost = comm.sendrecv(u[-1], dest=right, source=left)
        shifted = np.concatenate(([ghost], u[:-1]))
        u = u - cfg["velocity"] * dt / dx * (u - shifted)
    return u, dx


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="run.json")
    args = parser.parse_args(argv)
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size

    cfg = None
    if rank == 0:
        cfg = load(args.config)
        problems = check(cfg, size)
        if problems:
            for p in problems:
                print("config:", p, file=sys.stderr)
            return
    cfg = comm.bcast(cfg, root=0)

    u, dx = advect(cfg, rank, size)
    mass = comm.allreduce(u.sum() * dx)
    peak = comm.allreduce(u.max(), op=MPI.MAX)
    if rank == 0:
        print(f"mass {mass:.6f} peak {peak:.6f}")


if __name__ == "__main__":
    main()
