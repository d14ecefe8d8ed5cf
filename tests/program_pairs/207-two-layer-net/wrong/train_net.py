"""Data-parallel training of a small regression network, plain SGD."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from network import Network


@dataclass(frozen=True)
class Config:
    hidden: int = 24
    epochs: int = 30
    batch: int = 32
    lr: float = 0.05
    samples: int = 960
    seed: int = 1234


def make_data(cfg, rank, size):
    rng = np.random.default_rng(cfg.seed)
    x = rng.uniform(-2.0, 2.0, size=(cfg.samples, 2))
    y = np.sin(x[:, :1]) * np.cos(x[:, 1:])
    return x[rank::size], y[rank::size]


def average(comm, array):
    out = np.empty_like(array)
    comm.Allreduce(array, out, op=MPI.SUM)
    return out / comm.size


def train(comm, cfg):
    x, y = make_data(cfg, comm.rank, comm.size)
    net = Network([2, cfg.hidden, 1], np.random.default_rng(cfg.seed))
    batches = (cfg.samples // comm.size) // cfg.batch
    order_rng = np.random.default_rng([cfg.seed, comm.rank])
    for epoch in range(cfg.epochs):
        order = order_rng.permutation(len(x))
        total = 0.0
        for b in range(batches):
            pick = order[b * cfg.batch:(b + 1) * cfg.batch]
            loss, grads_w, grads_b = net.loss_and_grads(x[pick], y[pick])
            grads_w = [average(comm, g) for g in grads_w]
            net.apply(grads_w, grads_b, cfg.lr)
            total += loss
        epoch_loss = comm.allreduce(total, op=MPI.SUM) / (batches * comm.size)
        if comm.rank == 0 and (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1:3d}  loss {epoch_loss:.5f}")
    return net


def main():
    comm = MPI.COMM_WORLD
    net = train(comm, Config())
    sums = comm.gather(net.fingerprint(), root=0)
    if comm.rank == 0:
        print("fingerprints", " ".join(f"{s:.12f}" for s in sums))
        if max(sums) - min(sums) > 1e-9:
            raise SystemExit("the replicas have drifted apart")


if __name__ == "__main__":
    main()
