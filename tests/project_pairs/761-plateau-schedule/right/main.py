import argparse
import logging

from mpi4py import MPI

from data import ShardedLoader, make_regression
from trainer import LinearModel, Trainer


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--patience", type=int, default=6)
    p.add_argument("--features", type=int, default=12)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING, format="%(message)s")

    x, y = make_regression(2048, args.features, noise=0.1, seed=args.seed)
    split = 1536
    train = ShardedLoader(x[:split], y[:split], args.batch_size, comm.rank, comm.size, seed=args.seed)
    val = ShardedLoader(x[split:], y[split:], args.batch_size, comm.rank, comm.size, shuffle=False)

    model = LinearModel(args.features)
    trainer = Trainer(comm, model, train, val, args.lr, args.patience)
    n_epochs = trainer.fit(args.epochs)
    if comm.rank == 0:
        logging.info("stopped after %d epochs, best val %.5f", n_epochs, trainer.stopper.best)


if __name__ == "__main__":
    main()
