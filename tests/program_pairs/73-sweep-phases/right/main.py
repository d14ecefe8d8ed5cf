#!/usr/bin/env python
"""Hyper-parameter search for ridge regression: a driver rank and evaluators."""
import argparse
import json

import numpy as np
from mpi4py import MPI


def dataset(seed=0, n=240, d=20):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    w = np.where(np.arange(d) < 5, 1.0, 0.0)
    return x, x @ w + 2.0 * rng.normal(size=n)


def cv_error(x, y, lam, folds=6):
    idx = np.arange(len(y)) % folds
    err = 0.0
    for f in range(folds):
        tr, te = idx != f, idx == f
        a = x[tr].T @ x[tr] + lam * np.eye(x.shape[1])
        w = np.linalg.solve(a, x[tr].T @ y[tr])
        err += np.mean((x[te] @ w - y[te]) ** 2)
    return float(err / folds)


def evaluate(x, y, lams):
    return [(lam, cv_error(x, y, lam)) for lam in lams]


def driver(comm, rounds, width):
    x, y = comm.bcast(dataset(), root=0)
    lo, hi = -3.0, 4.0
    history = []
    for r in range(rounds):
        grid = np.logspace(lo, hi, width)
        parts = [list(map(float, p)) for p in np.array_split(grid, comm.size)]
        mine = comm.scatter(parts, root=0)
        scores = comm.gather(evaluate(x, y, mine), root=0)
        lam, err = min((s for part in scores for s in part), key=lambda s: s[1])
        history.append({"round": r, "lambda": lam, "error": err})
        half = (hi - lo) / 6
        lo, hi = np.log10(lam) - half, np.log10(lam) + half
        comm.bcast((lam, err), root=0)
    return history


def evaluator(comm, rounds):
    x, y = comm.bcast(None, root=0)
    best = None
    for _ in range(rounds):
        mine = comm.scatter(None, root=0)
        comm.gather(evaluate(x, y, mine), root=0)
        best = comm.bcast(None, root=0)
    return best


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--rounds", type=int, default=4)
    ap.add_argument("--width", type=int, default=16)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        history = driver(comm, args.rounds, args.width)
        with open("sweep.json", "w") as fh:
            json.dump(history, fh, indent=1)
        for row in history:
            print("round {round}: lambda {lambda:.5g} error {error:.6f}".format(**row))
    else:
        lam, err = evaluator(comm, args.rounds)
        assert lam > 0 and err > 0


if __name__ == "__main__":
    main()
