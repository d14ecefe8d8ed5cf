import argparse
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from data import N_FEATURES, ShardLoader
from model import LogisticTagger, Momentum


@dataclass
class TrainConfig:
    epochs: int = 4
    lr: float = 0.05
    batch: int = 64
    shards: int = 9


class Trainer:
    def __init__(self, cfg: TrainConfig, comm: MPI.Comm) -> None:
        self.cfg, self.comm = cfg, comm
        self.loader = ShardLoader(comm.rank, comm.size, cfg.shards, cfg.batch)
        self.model = LogisticTagger(N_FEATURES)
        self.opt = Momentum(cfg.lr)
        self.steps = len(self.loader)

    def average(self, grad: np.ndarray) -> np.ndarray:
        self.comm.Allreduce(MPI.IN_PLACE, grad, op=MPI.SUM)
        grad /= self.comm.size
        return grad

    def epoch(self) -> float:
        total = 0.0
        for x, y in self.loader.take(self.steps):
            loss, grad = self.model.loss_and_grad(x, y)
            self.opt.step(self.model.theta, self.average(grad))
            total += loss
        return total / self.steps

    def accuracy(self) -> float:
        hits = np.sum((self.model.logits(self.loader.x) > 0) == (self.loader.y > 0.5))
        good, n = self.comm.allreduce(np.array([hits, len(self.loader.x)]), op=MPI.SUM)
        return good / n

    def fit(self) -> None:
        for e in range(self.cfg.epochs):
            loss = self.comm.allreduce(self.epoch(), op=MPI.SUM) / self.comm.size
            acc = self.accuracy()
            if self.comm.rank == 0:
                print(f"epoch {e}: loss {loss:.4f}  acc {acc:.4f}", flush=True)


def main() -> None:
    ap = argparse.ArgumentParser()
    for name, val in vars(TrainConfig()).items():
        ap.add_argument(f"--{name}", type=type(val), default=val)
    trainer = Trainer(TrainConfig(**vars(ap.parse_args())), MPI.COMM_WORLD)
    trainer.fit()
    if trainer.comm.rank == 0:
        np.savetxt("theta.txt", trainer.model.theta)


if __name__ == "__main__":
    main()
