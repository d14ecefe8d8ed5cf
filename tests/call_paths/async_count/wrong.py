"""Prepare the next batch while the gradients are averaged."""
import asyncio
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


async def reduce_mean(x):
    out = np.empty_like(x)
    request = comm.Iallreduce(x, out, op=MPI.SUM)
    while not request.Test():
        await asyncio.sleep(0.001)
    return out / comm.Get_size()


async def prepare(step):
    await asyncio.sleep(0.001)
    return np.random.default_rng(10 * step + rank).normal(size=(5, 3))


async def train(steps):
    weights, batch = np.zeros(3), await prepare(0)
    for step in range(steps):
        local = batch.mean(axis=0) - weights
        mean = await reduce_mean(local[local > -9.0] if rank == 0 else local[:2])  # change
        batch = await prepare(step + 1)
        weights[: len(mean)] += 0.5 * mean
    return weights


print(rank, asyncio.run(train(3)).round(3))
