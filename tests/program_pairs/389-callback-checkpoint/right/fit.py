import argparse
import pickle
from pathlib import Path

from mpi4py import MPI

from regress.callbacks import Checkpoint, History, Printer
from regress.trainer import Trainer


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--ckpt", type=Path, default=Path("ckpt.pkl"))
    ns = ap.parse_args()

    tr = Trainer(MPI.COMM_WORLD, dim=8, samples=600, lr=ns.lr)
    hist = History()
    tr.add(hist)
    tr.add(Printer())
    tr.add(Checkpoint(ns.ckpt, every=3))
    tr.run(ns.epochs)

    if tr.comm.rank == 0:
        state = pickle.loads(ns.ckpt.read_bytes())
        print("checkpoint of epoch", state["epoch"], "with", len(state["residuals"]), "residuals")
        print("last loss", round(hist.losses[-1], 6))


if __name__ == "__main__":
    main()
