"""Reconstruct the test object from noisy projections."""
import argparse

import numpy as np
from mpi4py import MPI

from sirtomo import SirtSolver
from sirtomo.callbacks import EarlyStop, NonNegative, Progress
from sirtomo.geometry import angles_of_rank, phantom, projector


def measure(matrix, image, rank, noise=0.3):
    rng = np.random.default_rng(100 + rank)
    clean = matrix @ image.ravel()
    return clean + rng.normal(0.0, noise, clean.size)


def worst_angle(comm, matrix, sinogram, image, n):
    """Largest misfit of a single projection, over all ranks."""
    resid = (sinogram - matrix @ image).reshape(-1, n)
    local = float(np.sqrt((resid ** 2).mean(axis=1)).max())
    return comm.allreduce(local, op=MPI.MAX)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=48)
    parser.add_argument("--angles", type=int, default=60)
    parser.add_argument("--max-iter", type=int, default=400)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    truth = phantom(args.size)
    angles = angles_of_rank(args.angles, comm.rank, comm.size)
    matrix = projector(args.size, angles)
    sinogram = measure(matrix, truth, comm.rank)

    solver = SirtSolver(comm, matrix, sinogram)
    hooks = [NonNegative(), EarlyStop(rtol=1e-3)]
    if comm.rank == 0:
        hooks.append(Progress())
    state = solver.solve(args.max_iter, hooks)
    worst = worst_angle(comm, matrix, sinogram, state.image, args.size)
    if comm.rank == 0:
        error = np.abs(state.image - truth.ravel()).mean()
        print(f"stopped after {state.iteration} iterations, "
              f"mean error {error:.4f}, worst angle {worst:.4f}")


if __name__ == "__main__":
    main()
