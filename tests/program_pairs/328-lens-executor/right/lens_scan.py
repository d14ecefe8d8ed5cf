"""Scan of a two-lens system with the executor of mpi4py.futures."""
import argparse
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI
from mpi4py.futures import MPICommExecutor


@dataclass(frozen=True)
class Setup:
    f1: float
    f2: float
    gap: float


def trace(setup, height, angle=0.0):
    """Ray transfer through lens, gap, lens; returns height and angle behind it."""
    ray = np.array([height, angle])
    for matrix in ([[1, 0], [-1 / setup.f1, 1]], [[1, setup.gap], [0, 1]],
                   [[1, 0], [-1 / setup.f2, 1]]):
        ray = np.array(matrix) @ ray
    return ray


def merit(setup, distance=120.0, rays=41):
    """Spot size on a screen, with a crude third-order aberration."""
    spots = []
    for h in np.linspace(-5, 5, rays):
        y, a = trace(setup, h)
        spots.append(y + distance * a + 2e-3 * (h / setup.f1) ** 3 * distance)
    return float(np.sqrt(np.mean(np.square(spots))))


def grid(n):
    for f1 in np.linspace(60, 140, n):
        for gap in np.linspace(5, 60, n):
            yield Setup(float(f1), 90.0, float(gap))


def coarse_scan(comm, setups):
    with MPICommExecutor(comm, root=0) as executor:
        if executor is not None:
            return list(executor.map(merit, setups, chunksize=16))


def polish(setup, rounds=40, step=4.0):
    """Coordinate search around one setup."""
    best = merit(setup)
    for _ in range(rounds):
        for df, dg in ((step, 0), (-step, 0), (0, step), (0, -step)):
            trial = Setup(setup.f1 + df, setup.f2, setup.gap + dg)
            value = merit(trial)
            if value < best and trial.gap > 0:
                best, setup = value, trial
        step *= 0.8
    return best, setup


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--top", type=int, default=6)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    setups = list(grid(args.n))
    values = comm.bcast(coarse_scan(comm, setups), root=0)
    order = sorted(range(len(setups)), key=values.__getitem__)[:args.top]
    mine = [polish(setups[k]) for k in order[comm.rank::comm.size]]
    polished = comm.gather(mine, root=0)
    if comm.rank == 0:
        best, setup = min((pair for part in polished for pair in part), key=lambda p: p[0])
        print(f"best of {args.top}: f1 {setup.f1:.2f}  gap {setup.gap:.2f}  spot {best:.4f}")


if __name__ == "__main__":
    main()
