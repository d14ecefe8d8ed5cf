"""Choose the ridge penalty by k-fold cross validation, folds shared among ranks."""
import argparse

import numpy as np
from mpi4py import MPI

PENALTIES = np.array([0.01, 0.1, 1.0, 10.0, 100.0])


def make_data(n, p):
    gen = np.random.default_rng(31)
    x = gen.normal(size=(n, p))
    weights = np.where(np.arange(p) < 4, 1.5, 0.0)
    return x, x @ weights + gen.normal(0.0, 2.0, n)


def ridge(x, y, penalty):
    return np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ y)


def held_out_predictions(comm, x, y, n_folds, seed):
    """Out-of-fold predictions, shape (len(PENALTIES), n), complete on rank 0."""
    n = len(y)
    rng = np.random.default_rng(seed)
    folds = np.array_split(rng.permutation(n), n_folds)

    local = np.zeros((len(PENALTIES), n))
    for k in range(comm.rank, n_folds, comm.size):
        test = folds[k]
        train = np.concatenate(folds[:k] + folds[k + 1:])
        for row, penalty in enumerate(PENALTIES):
            beta = ridge(x[train], y[train], penalty)
            local[row, test] += x[test] @ beta

    total = np.zeros_like(local) if comm.rank == 0 else None
    comm.Reduce(local, total, op=MPI.SUM, root=0)
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=90)
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--folds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=4)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    x, y = make_data(args.rows, args.columns)
    predicted = held_out_predictions(comm, x, y, args.folds, args.seed)

    if comm.rank == 0:
        score = ((predicted - y) ** 2).mean(axis=1)
        for penalty, mse in zip(PENALTIES, score):
            print(f"penalty {penalty:7.2f}   cv mse {mse:.4f}")
        print(f"rows with a prediction: {np.count_nonzero(predicted[0])} of {len(y)}")
        print(f"best penalty: {PENALTIES[score.argmin()]}")


if __name__ == "__main__":
    main()
