import argparse

import jax
import numpy as np

from .earlystop import EarlyStopping
from .task import Task, bce, sgd


def validate(w, xv, yv):
    # w is replicated, the local copy will do
    return float(bce(np.asarray(w.addressable_data(0)), xv, yv))


def fit(task, max_epochs, steps, lr):
    w = task.weights()
    xv, yv = task.local_validation()
    stopper = EarlyStopping(patience=2)
    for epoch in range(max_epochs):
        for k in range(steps):
            w = sgd(w, *task.train_batch(epoch * steps + k), lr)
        val = validate(w, xv, yv)
        if jax.process_index() == 0:
            print(f"epoch {epoch} local validation {val:.4f}", flush=True)
        if stopper.should_stop(val):
            break
    return w, epoch


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coord")
    ap.add_argument("--world", type=int)
    ap.add_argument("--rank", type=int)
    ap.add_argument("--max-epochs", type=int, default=60)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.5)
    a = ap.parse_args()
    jax.distributed.initialize(a.coord, a.world, a.rank)
    w, epoch = fit(Task(), a.max_epochs, a.steps, a.lr)
    print(f"process {a.rank} stopped in epoch {epoch}", flush=True)


if __name__ == "__main__":
    main()
