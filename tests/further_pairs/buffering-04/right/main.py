import numpy as np
from mpi4py import MPI


class GradientAverager:
    def __init__(self, comm, n_weights):
        self.comm = comm
        self.peers = [r for r in range(comm.size) if r != comm.rank]
        self.inbox = np.empty((len(self.peers), n_weights))

    def average(self, grad):
        requests = [self.comm.Irecv(slot, source=peer, tag=40) for slot, peer in zip(self.inbox, self.peers)]
        for peer in self.peers:
            self.comm.Send(grad, dest=peer, tag=40)
        MPI.Request.Waitall(requests)
        return (grad + self.inbox.sum(axis=0)) / self.comm.size


def train(comm, features=100_000, epochs=3, rate=0.1):
    rng = np.random.default_rng(comm.rank)
    x = rng.normal(size=(4, features)) / np.sqrt(features)
    y = rng.normal(size=4)
    w = np.zeros(features)
    averager = GradientAverager(comm, features)
    for _ in range(epochs):
        residual = x @ w - y
        w -= rate * averager.average(x.T @ residual)
    return comm.allreduce(float(residual @ residual))


world = MPI.COMM_WORLD
loss = train(world)
if world.rank == 0:
    print(f"loss {loss:.5f}")
