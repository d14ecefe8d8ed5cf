import numpy as np
from mpi4py import MPI

from model import TinyNet
from trainer import LossHistory, Trainer


def load_shard(comm, n=240):
    rng = np.random.default_rng(77)
    x = rng.uniform(-2.0, 2.0, (n, 2))
    y = np.sin(x[:, 0]) + 0.3 * x[:, 1] ** 2 + 0.02 * rng.normal(size=n)
    return x[comm.rank::comm.size], y[comm.rank::comm.size]


def main():
    comm = MPI.COMM_WORLD
    x, y = load_shard(comm)
    trainer = Trainer(TinyNet(2, 8, seed=5), x, y, comm)
    history = LossHistory(every=50)
    if comm.rank == 0:
        trainer.callbacks.append(history)

    final = trainer.fit(epochs=200)

    if comm.rank == 0:
        for epoch, loss in history.rows:
            print(f"epoch {epoch:4d}  mse {loss:.5f}")
        print(f"final mse {final:.5f}")


if __name__ == "__main__":
    main()
