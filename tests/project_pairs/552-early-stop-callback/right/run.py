import argparse
import sys

from mpi4py import MPI

from callbacks import Checkpoint, EarlyStopping, LrDecay
from datasets import make_split
from network import MLP
from trainer import Trainer


def parse_args(argv=None):
    p = argparse.ArgumentParser(description="data-parallel regression MLP")
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--hidden", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--patience", type=int, default=2)
    p.add_argument("--min-delta", type=float, default=5e-3)
    p.add_argument("--rows", type=int, default=256)
    p.add_argument("--checkpoint", default="mlp_best.npz")
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args(argv)


def main(argv=None):
    args = parse_args(argv)
    comm = MPI.COMM_WORLD
    train, valid = make_split(args.rows, seed=args.seed, rank=comm.rank)
    net = MLP(train[0].shape[1], args.hidden, seed=args.seed)
    callbacks = [
        LrDecay(0.97),
        Checkpoint(args.checkpoint),
        EarlyStopping(patience=args.patience, min_delta=args.min_delta),
    ]
    trainer = Trainer(net, comm, lr=args.lr, batch=args.batch, callbacks=callbacks)
    trainer.fit(train, valid, epochs=args.epochs)

    final = trainer.evaluate(*train)
    if comm.rank == 0:
        print(f"stopped after epoch {trainer.epoch}, train loss {final:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
