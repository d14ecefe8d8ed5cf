"""A model whose layers are spread over the ranks; the activations pass through them all."""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

WIDTH = 600
comm = MPI.COMM_WORLD.Clone()
rank, size = comm.Get_rank(), comm.Get_size()


def layer_weights(stage):
    return jax.random.normal(jax.random.PRNGKey(stage), (WIDTH, WIDTH)) / jnp.sqrt(WIDTH)


def forward(weights, batch):
    h = batch
    if rank > 0:
        h = mpi4jax.recv(h, source=rank - 1, tag=5, comm=comm)
    h = jnp.tanh(h @ weights)
    if rank < size - 1:
        mpi4jax.send(h, dest=rank + 1, tag=5, comm=comm)
    return h


weights = layer_weights(rank)
batch = jnp.ones((WIDTH, WIDTH)) if rank == 0 else jnp.zeros((WIDTH, WIDTH))
for micro in range(3):
    out = forward(weights, batch * (1.0 + micro))
    if rank == size - 1:
        print(f"micro batch {micro}: {float(jnp.abs(out).mean()):.5f}")
