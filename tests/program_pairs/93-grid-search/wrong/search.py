"""Master/worker grid search of ridge regression hyper-parameters."""
import argparse
import itertools
import sys

import numpy as np
from mpi4py import MPI

TASK, RESULT, STOP = 11, 12, 13


def dataset(seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((300, 20))
    w = rng.standard_normal(20) * (rng.random(20) > 0.5)
    y = x @ w + 0.3 * rng.standard_normal(300)
    return x[:200], y[:200], x[200:], y[200:]


def evaluate(params):
    x, y, xv, yv = dataset()
    if params["standardize"]:
        mu, sd = x.mean(0), x.std(0)
        x, xv = (x - mu) / sd, (xv - mu) / sd
    a = x.T @ x + params["alpha"] * np.eye(x.shape[1])
    w = np.linalg.solve(a, x.T @ y)
    return float(np.mean((xv @ w - yv) ** 2))


def master(comm, grid):
    todo = iter(grid)
    outcomes = []
    outstanding = 0
    for worker, params in zip(range(1, comm.size), todo):
        comm.send(params, dest=worker, tag=TASK)
        outstanding += 1

    status = MPI.Status()
    while outstanding:
        outcome = comm.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)
        outcomes.append(outcome)
        following = next(todo, None)
        if following is None:
            comm.send(None, dest=status.source, tag=STOP)
            outstanding -= 1
        else:
            comm.send(following, dest=status.source, tag=TASK)
    return outcomes


def worker(comm):
    status = MPI.Status()
    while True:
        params = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.tag == STOP:
            break
        comm.send((evaluate(params), params), dest=0, tag=RESULT)


def parse(argv):
    p = argparse.ArgumentParser()
    p.add_argument("--alpha", type=float, nargs="+", default=[1.0])
    p.add_argument("--standardize", type=int, nargs="+", default=[0, 1])
    return p.parse_args(argv)


def main(argv=None):
    comm = MPI.COMM_WORLD
    args = parse(argv)
    grid = [dict(alpha=a, standardize=bool(s))
            for a, s in itertools.product(args.alpha, args.standardize)]
    if comm.size == 1:
        outcomes = [(evaluate(g), g) for g in grid]
    elif comm.rank == 0:
        outcomes = master(comm, grid)
    else:
        worker(comm)
        return 0
    score, params = min(outcomes, key=lambda o: o[0])
    print(f"{len(outcomes)} configurations, best {score:.6f} with {params}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
