"""Data parallel SGD for a linear model."""
from itertools import islice

import numpy as np
from mpi4py import MPI

from data import Shard
from model import LinearModel, average_gradient

EPOCHS = 6
BATCH = 32
LR = 0.05


def train(comm):
    rank, size = comm.Get_rank(), comm.Get_size()
    shard = Shard(rank, size)
    model = LinearModel(8)
    rng = np.random.default_rng(1000 + rank)
    steps = comm.allreduce(shard.num_batches(BATCH), op=MPI.MIN)

    for epoch in range(EPOCHS):
        running = 0.0
        for x, y in islice(shard.batches(BATCH, rng), steps):
            loss, grad = model.loss_and_grad(x, y)
            model.apply(average_gradient(comm, grad), LR)
            running += loss
        mean_loss = comm.allreduce(running / steps) / size
        if rank == 0:
            print(f"epoch {epoch}: loss {mean_loss:.5f}", flush=True)
    return model


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    m = train(world)
    spread = world.reduce(float(np.abs(m.w).sum()), op=MPI.MAX)
    low = world.reduce(float(np.abs(m.w).sum()), op=MPI.MIN)
    if world.rank == 0:
        print("weights", np.round(m.w, 3), "replicas differ by", spread - low)
