"""Gaussian mixture in one dimension; a coordinator and workers that own the data."""
import argparse

import numpy as np
from mpi4py import MPI

K = 3


def make_data(rank, n):
    rng = np.random.default_rng(500 + rank)
    which = rng.choice(K, size=n, p=[0.5, 0.3, 0.2])
    return rng.normal(np.array([-3.0, 0.5, 4.0])[which], np.array([0.8, 0.6, 1.1])[which])


def expectation(x, model):
    """Sufficient statistics (K x 3) and the log-likelihood of my data."""
    weight, mean, sd = model
    if len(x) == 0:
        return np.zeros((K, 3)), 0.0
    p = weight / (sd * np.sqrt(2 * np.pi)) * np.exp(-0.5 * ((x[:, None] - mean) / sd) ** 2)
    total = p.sum(axis=1)
    r = p / total[:, None]
    stats = np.stack([r.sum(0), (r * x[:, None]).sum(0), (r * x[:, None] ** 2).sum(0)], axis=1)
    return stats, float(np.log(total).sum())


def maximisation(stats):
    count, first, second = stats.T
    mean = first / count
    return np.stack([count / count.sum(), mean, np.sqrt(second / count - mean ** 2)])


def coordinator(comm, rounds, tol):
    model = np.array([[1 / 3] * 3, [-1.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
    trace = [-np.inf]
    for _ in range(rounds):
        comm.Bcast(model, root=0)
        stats = np.zeros((K, 3))
        comm.Reduce(np.zeros((K, 3)), stats, op=MPI.SUM, root=0)
        likelihood = comm.allreduce(0.0, op=MPI.SUM)
        model = maximisation(stats)
        trace.append(likelihood)
        if likelihood - trace[-2] < tol:
            break
    return model, trace[1:]


def worker(comm, rounds, tol, n):
    x = make_data(comm.rank, n)
    model = np.empty((3, K))
    previous = -np.inf
    for _ in range(rounds):
        comm.Bcast(model, root=0)
        stats, value = expectation(x, model)
        likelihood = comm.allreduce(value, op=MPI.SUM)
        comm.Reduce(stats, None, op=MPI.SUM, root=0)
        if likelihood - previous < tol:
            break
        previous = likelihood


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--samples", type=int, default=3000)
    parser.add_argument("--tol", type=float, default=0.05)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("needs a coordinator and at least one worker")
    if comm.rank == 0:
        model, trace = coordinator(comm, args.rounds, args.tol)
        order = np.argsort(model[1])
        for name, row in zip(("weight", "mean", "sd"), model):
            print(name, np.round(row[order], 3))
        print(f"log-likelihood {trace[0]:.1f} -> {trace[-1]:.1f}")
    else:
        worker(comm, args.rounds, args.tol, args.samples)


if __name__ == "__main__":
    main()
