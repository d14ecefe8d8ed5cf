import argparse
import logging

import numpy as np
from mpi4py import MPI

from data import N_BANDS, SHARD_SIZES, TRUE_W, Loader
from trainer import Trainer


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def main():
    args = get_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    comm = MPI.COMM_WORLD
    shards = range(comm.rank, len(SHARD_SIZES), comm.size)
    loader = Loader(shards, args.batch_size, seed=[args.seed, comm.rank])
    trainer = Trainer(comm, loader, N_BANDS, args.lr)
    params = trainer.fit(args.epochs)
    if comm.rank == 0:
        print(f"max weight error {np.abs(params[:-1] - TRUE_W).max():.4f}, bias {params[-1]:.3f}")


if __name__ == "__main__":
    main()
