import argparse

import numpy as np
from mpi4py import MPI

from net import MLP
from parallel import GradientAverager


def dataset(n, rng):
    x = rng.uniform(-1, 1, size=(n, 2))
    y = (x[:, :1] * x[:, 1:] > 0).astype(float)
    return x, y


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=24)
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.8)
    p.add_argument("--seed", type=int, default=17)
    return p.parse_args()


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(args.seed + comm.rank)
    net = MLP(2, args.hidden, 1, rng)
    averager = GradientAverager(comm)
    averager.sync(net.params)

    for step in range(args.steps):
        xb, yb = dataset(args.batch, rng)
        loss, grads = net.loss_and_grads(xb, yb)
        averager(grads)
        for p, g in zip(net.params, grads):
            p -= args.lr * g

    test = dataset(2000, np.random.default_rng(1))
    acc = float(((net.forward(test[0]) > 0.5) == test[1]).mean())
    accs = comm.gather(acc, root=0)
    checks = comm.gather(round(float(sum(p.sum() for p in net.params)), 6), root=0)
    if comm.rank == 0:
        print("accuracy by rank", [f"{a:.3f}" for a in accs])
        print("parameter sums  ", checks)


if __name__ == "__main__":
    main()
