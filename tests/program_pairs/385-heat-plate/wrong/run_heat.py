#!/usr/bin/env python
"""mpirun -n 4 python run_heat.py --nx 200 --ny 200"""
import argparse
import logging

import numpy as np
from mpi4py import MPI

from heat import JacobiSolver, SlabGrid


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--nx", type=int, default=100)
    p.add_argument("--ny", type=int, default=100)
    p.add_argument("--hot", type=float, default=100.0)
    p.add_argument("--cold", type=float, default=0.0)
    p.add_argument("--tol", type=float, default=1e-4)
    p.add_argument("--out", default=None)
    return p.parse_args()


def main():
    args = parse_args()
    world = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if world.rank == 0 else logging.WARNING,
                        format="%(message)s")
    grid = SlabGrid(world, args.ny, args.nx)
    grid.apply_boundaries(args.hot, args.cold)
    solver = JacobiSolver(grid, tol=args.tol)

    t0 = MPI.Wtime()
    n = solver.solve()
    elapsed = MPI.Wtime() - t0

    field = grid.collect()
    if field is not None:
        print(f"{n} sweeps in {elapsed:.2f} s, mean temperature {field.mean():.4f}")
        if args.out:
            np.save(args.out, field)


if __name__ == "__main__":
    main()
