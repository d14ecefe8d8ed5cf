#!/usr/bin/env python
"""Cross validation of kernel ridge regression, folds in parallel.

All ranks have the whole data set (it is small); each rank does the folds
rank, rank + size, ... for every regularisation strength.
"""
import json
import sys

import numpy as np
from mpi4py import MPI
from scipy.linalg import cho_factor, cho_solve

COMM = MPI.COMM_WORLD
N_FOLDS = 5
ALPHAS = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
GAMMA = 0.3


def load_friedman(n=300, seed=5):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 6))
    y = (
        10 * np.sin(np.pi * X[:, 0] * X[:, 1])
        + 20 * (X[:, 2] - 0.5) ** 2
        + 10 * X[:, 3]
        + 5 * X[:, 4]
        + rng.normal(size=n)
    )
    return X, y - y.mean()


def rbf(A, B):
    d2 = (A**2).sum(1)[:, None] + (B**2).sum(1)[None, :] - 2 * A @ B.T
    return np.exp(-GAMMA * np.maximum(d2, 0.0))


def fold_indices(n, seed=0):
    # seeded: the same folds on all ranks
    perm = np.random.default_rng(seed).permutation(n)
    return np.array_split(perm, N_FOLDS)


def standardize(train, test):
    mu = train.mean(axis=0)
    sd = train.std(axis=0)
    return (train - mu) / sd, (test - mu) / sd


def fold_error(X, y, folds, k, alpha):
    test = folds[k]
    train = np.concatenate([f for i, f in enumerate(folds) if i != k])
    Xtr, Xte = standardize(X[train], X[test])
    K = rbf(Xtr, Xtr)
    K[np.diag_indices_from(K)] += alpha
    coef = cho_solve(cho_factor(K), y[train])
    residual = rbf(Xte, Xtr) @ coef - y[test]
    return float(residual @ residual), len(test)


def cv_error(X, y, folds, alpha):
    """Mean squared error over all folds, the same number on every rank."""
    sse, count = 0.0, 0
    for k in range(COMM.rank, N_FOLDS, COMM.size):
        err, n = fold_error(X, y, folds, k, alpha)
        sse += COMM.allreduce(err)
        count += COMM.allreduce(n)
    return sse / count


def main(argv):
    out = argv[1] if len(argv) > 1 else "cv.json"
    X, y = load_friedman()
    folds = fold_indices(len(y))

    scores = {}
    for alpha in ALPHAS:
        scores[alpha] = cv_error(X, y, folds, alpha)
        if COMM.rank == 0:
            print(f"alpha {alpha:8.3g}   mse {scores[alpha]:.4f}", flush=True)

    best = min(scores, key=scores.get)
    if COMM.rank != 0:
        return 0
    with open(out, "w") as f:
        json.dump({"best": best, "scores": {str(a): s for a, s in scores.items()}}, f, indent=1)
    print("best alpha", best)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
