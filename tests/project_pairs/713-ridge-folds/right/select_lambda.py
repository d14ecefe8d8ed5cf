"""Choose the ridge penalty for the soil moisture regression."""
import argparse

import numpy as np
from mpi4py import MPI

import dataset
from crossval import CrossValidator


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--folds", type=int, default=8)
    ap.add_argument("--seed", type=int, help="seed of the fold assignment (default: from the clock)")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    x, y = dataset.load()
    cv = CrossValidator(comm, args.folds, args.seed)
    results = [(cv.score(x, y, lam), lam) for lam in np.logspace(-2, 2, 5)]
    rmse, best = min(results)
    if comm.rank == 0:
        for r, lam in results:
            print(f"lambda {lam:8.2f}  rmse {r:.4f}")
        print(f"best lambda {best:g} (rmse {rmse:.4f})")


if __name__ == "__main__":
    main()
