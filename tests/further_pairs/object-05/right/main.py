import numpy as np
from mpi4py import MPI

from trainer import Trainer

comm = MPI.COMM_WORLD
rng = np.random.default_rng(comm.rank)
features = rng.standard_normal((200, 3))
labels = features @ np.array([1.0, -2.0, 0.5]) + 0.01 * rng.standard_normal(200)
trainer = Trainer(comm, features, labels)


@trainer.on_epoch_end
def print_weights(epoch, t):
    if comm.rank == 0 and epoch % 10 == 9:
        print("weights", t.weights.round(4).tolist())


@trainer.on_epoch_end
def print_loss(epoch, t):
    loss = comm.reduce(t.local_loss(), root=0)
    if comm.rank == 0 and epoch % 10 == 9:
        print(f"epoch {epoch} loss {loss / comm.size:.6f}")


trainer.fit(30)
