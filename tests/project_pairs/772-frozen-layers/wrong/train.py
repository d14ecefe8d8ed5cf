import argparse
import logging

import numpy as np
from mpi4py import MPI

from ddp import DataParallel
from layers import Dense, ReLU, Sequential


def build_model(n_in, width, seed):
    rng = np.random.default_rng(seed)
    return Sequential(
        "net",
        Dense("stem", n_in, width, rng),
        ReLU("act0"),
        Dense("body", width, width, rng),
        ReLU("act1"),
        Dense("head", width, 1, rng),
    )


def local_batches(comm, args):
    rng = np.random.default_rng([args.seed, comm.rank])
    for _ in range(args.steps):
        x = rng.normal(size=(args.batch_size, args.inputs))
        yield x, np.abs(x[:, :1]) - x[:, 1:2]


def mean_loss(comm, err):
    return comm.allreduce(float(np.mean(err**2))) / comm.size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--inputs", type=int, default=6)
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--freeze", nargs="*", default=["stem.*"])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING, format="%(message)s")

    model = build_model(args.inputs, args.width, args.seed)
    ddp = DataParallel(comm, model, frozen=args.freeze)
    logging.info("training %d parameters, frozen: %s", ddp.n_trainable(), " ".join(args.freeze))

    for step, (x, y) in enumerate(local_batches(comm, args)):
        err = model.forward(x) - y
        model.backward(2.0 * err / len(x))
        ddp.average_gradients()
        ddp.apply(args.lr)
        loss = mean_loss(comm, err)
        if step % 20 == 19:
            logging.info("step %3d  loss %.5f", step + 1, loss)


if __name__ == "__main__":
    main()
