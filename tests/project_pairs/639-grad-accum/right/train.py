"""Wide linear softmax classifier, big effective batches by accumulation."""
import argparse
import time

import numpy as np
from mpi4py import MPI

from reducer import AccumulatingReducer


class Softmax:
    def __init__(self, n_in, n_out):
        self.shape = (n_in, n_out)
        self.w = np.zeros(n_in * n_out)

    def loss_grad(self, x, y):
        z = x @ self.w.reshape(self.shape)
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        loss = -np.log(p[np.arange(len(y)), y] + 1e-12).mean()
        p[np.arange(len(y)), y] -= 1.0
        return loss, (x.T @ p / len(y)).ravel()

    def apply(self, grad, lr):
        self.w -= lr * grad


def stream(seed, n_in, n_out, micro):
    """Endless micro batches from a fixed teacher."""
    teacher = np.random.default_rng(12).normal(size=(n_in, n_out))
    rng = np.random.default_rng(seed)
    while True:
        x = rng.normal(size=(micro, n_in)) / np.sqrt(n_in)
        yield x, np.argmax(x @ teacher, axis=1)


def run(comm, opts):
    model = Softmax(opts.inputs, opts.classes)
    reducer = AccumulatingReducer(comm, model.w.size, opts.accumulate)
    batches = stream([4, comm.rank], opts.inputs, opts.classes, opts.micro)
    running = 0.0
    for i in range(opts.steps * opts.accumulate):
        loss, grad = model.loss_grad(*next(batches))
        running += loss
        mean_grad = reducer.add(grad)
        if mean_grad is not None:
            model.apply(mean_grad, opts.lr)
        if (i + 1) % (5 * opts.accumulate) == 0:
            shown = comm.reduce(running / (5 * opts.accumulate), root=0)
            if comm.rank == 0:
                print(f"step {(i + 1) // opts.accumulate:3d}  loss {shown / comm.size:.4f}", flush=True)
            running = 0.0
    last = reducer.finish()
    if last is not None:
        model.apply(last, opts.lr)
    return model


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--inputs", type=int, default=3000)
    p.add_argument("--classes", type=int, default=20)
    p.add_argument("--micro", type=int, default=16)
    p.add_argument("--accumulate", type=int, default=4)
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--lr", type=float, default=100.0)
    opts = p.parse_args()

    comm = MPI.COMM_WORLD
    tic = time.perf_counter()
    model = run(comm, opts)
    norms = comm.gather(float(np.linalg.norm(model.w)), root=0)
    if comm.rank == 0:
        print(f"{opts.steps} steps in {time.perf_counter() - tic:.2f} s")
        print("weight norms:", " ".join(f"{n:.6f}" for n in norms))


if __name__ == "__main__":
    main()
