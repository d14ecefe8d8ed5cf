"""k-fold cross validation of ridge regression, folds spread over the ranks."""
import argparse

import numpy as np
from mpi4py import MPI


def dataset(n=360, d=8):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(n, d))
    y = x @ np.linspace(1, -1, d) + 0.5 * rng.normal(size=n)
    return x, y


def fit_ridge(x, y, lam):
    return np.linalg.solve(x.T @ x + lam * np.eye(x.shape[1]), x.T @ y)


class KFold:
    def __init__(self, n, k, order):
        self.n, self.k, self.order = n, k, order

    def __getitem__(self, f):
        edges = np.linspace(0, self.n, self.k + 1).astype(int)
        test = self.order[edges[f]:edges[f + 1]]
        train = np.setdiff1d(self.order, test)
        return train, test


def evaluate(x, y, folds, mine, lam):
    sq = np.zeros(len(y))
    hits = np.zeros(len(y), dtype="i8")
    for f in mine:
        train, test = folds[f]
        w = fit_ridge(x[train], y[train], lam)
        sq[test] = (x[test] @ w - y[test]) ** 2
        hits[test] += 1
    return sq, hits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", type=int, default=9)
    parser.add_argument("--lambdas", type=float, nargs="+", default=[0.01, 1.0, 100.0])
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    x, y = dataset()
    order = comm.bcast(np.random.permutation(len(y)), root=0)
    folds = KFold(len(y), args.k, order)
    mine = range(comm.rank, args.k, comm.size)

    for lam in args.lambdas:
        sq, hits = evaluate(x, y, folds, mine, lam)
        sq_all = np.zeros_like(sq)
        hits_all = np.zeros_like(hits)
        comm.Reduce(sq, sq_all, root=0)
        comm.Reduce(hits, hits_all, root=0)
        if comm.rank == 0:
            print(f"lambda {lam:7.2f}  mse {sq_all.mean():.4f}  "
                  f"tested {hits_all.min()}..{hits_all.max()} times")


if __name__ == "__main__":
    main()
