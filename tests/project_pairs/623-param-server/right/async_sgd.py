"""Asynchronous SGD with a parameter server (Downpour style).

Rank 0 holds the weights. The other ranks pull weights, compute a gradient on
their own minibatch and push it back; the server applies it at once.
"""
import argparse
import time
from enum import IntEnum

import numpy as np
from mpi4py import MPI


class Tag(IntEnum):
    PULL = 1
    WEIGHTS = 2
    PUSH = 3
    FINISHED = 4


class ParameterServer:
    def __init__(self, comm, dim, lr):
        self.comm = comm
        self.w = np.zeros(dim)
        self.lr = lr
        self.version = 0
        self.staleness = []
        self.finished = 0

    @property
    def all_finished(self):
        return self.finished == self.comm.Get_size() - 1

    def serve(self):
        status = MPI.Status()
        while not self.all_finished:
            msg = self.comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
            source, tag = status.Get_source(), status.Get_tag()
            if tag == Tag.PULL:
                self.comm.send((self.version, self.w), dest=source, tag=Tag.WEIGHTS)
            elif tag == Tag.PUSH:
                version, grad = msg
                self.staleness.append(self.version - version)
                # damp the step of stale gradients
                self.w -= self.lr / (1 + self.staleness[-1]) * grad
                self.version += 1
            elif tag == Tag.FINISHED:
                self.finished += 1
            else:
                raise RuntimeError(f"unexpected tag {tag} from rank {source}")
        return self.w


class Worker:
    def __init__(self, comm, x, y, batch, seed):
        self.comm = comm
        self.x, self.y = x, y
        self.batch = batch
        self.rng = np.random.default_rng([seed, comm.Get_rank()])

    def gradient(self, w):
        idx = self.rng.choice(len(self.x), size=self.batch, replace=False)
        x, y = self.x[idx], self.y[idx]
        p = 1.0 / (1.0 + np.exp(-x @ w))
        return x.T @ (p - y) / self.batch

    def run(self, steps):
        for _ in range(steps):
            self.comm.send(None, dest=0, tag=Tag.PULL)
            version, w = self.comm.recv(source=0, tag=Tag.WEIGHTS)
            self.comm.send((version, self.gradient(w)), dest=0, tag=Tag.PUSH)
        self.comm.send(None, dest=0, tag=Tag.FINISHED)


def make_problem(n, dim, seed):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=dim)
    x = rng.normal(size=(n, dim))
    y = (x @ w + 0.3 * rng.normal(size=n) > 0).astype(float)
    return x, y


def accuracy(w, x, y):
    return float(np.mean((x @ w > 0) == (y > 0.5)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200, help="steps of each worker")
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.5)
    ap.add_argument("--dim", type=int, default=20)
    ap.add_argument("--samples", type=int, default=3000)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    if size < 2:
        raise SystemExit("one server and at least one worker are needed")

    x, y = make_problem(args.samples, args.dim, args.seed)
    start = time.perf_counter()
    if rank == 0:
        server = ParameterServer(comm, args.dim, args.lr)
        w = server.serve()
        print(f"{server.version} updates, mean staleness {np.mean(server.staleness):.2f}")
    else:
        shard = slice(rank - 1, None, size - 1)
        Worker(comm, x[shard], y[shard], args.batch, args.seed).run(args.steps)
        w = None

    w = comm.bcast(w, root=0)
    scores = comm.gather(accuracy(w, x[rank::size], y[rank::size]), root=0)
    if rank == 0:
        print(f"accuracy {np.mean(scores):.4f} in {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
