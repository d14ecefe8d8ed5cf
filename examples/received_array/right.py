"""A pipelined network: rank r applies layer r and sends the activations to rank r + 1.

mpi4jax never writes into its argument. ``recv`` and ``bcast`` read shape and dtype from it and *return* the data.

    mpirun -n 4 python examples/received_array/right.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

BATCH, WIDTH = 6, 16

comm = MPI.COMM_WORLD.Clone()
rank = comm.Get_rank()
size = comm.Get_size()


def apply_layer(index: int, activations: jax.Array) -> jax.Array:
    """One dense layer; its weights are a function of its index, so any rank can compute them."""
    key = jax.random.fold_in(jax.random.key(7), index)
    weights = jax.random.normal(key, (WIDTH, WIDTH)) / jnp.sqrt(WIDTH)
    return jnp.tanh(activations @ weights)


def forward(inputs: jax.Array) -> jax.Array:
    """The network's output, on every rank; only rank 0 uses the inputs."""
    activations = inputs
    if rank > 0:
        activations = mpi4jax.recv(inputs, source=rank - 1, comm=comm)
    activations = apply_layer(rank, activations)
    if rank < size - 1:
        mpi4jax.send(activations, dest=rank + 1, comm=comm)
    return mpi4jax.bcast(activations, root=size - 1, comm=comm)


def main() -> None:
    """Compare the pipeline with all layers applied locally."""
    samples = jnp.sin(jnp.arange(BATCH * WIDTH, dtype=jnp.float32)).reshape(BATCH, WIDTH)
    inputs = samples if rank == 0 else jnp.zeros_like(samples)
    outputs = forward(inputs)

    expected = samples
    for index in range(size):
        expected = apply_layer(index, expected)
    difference = mpi4jax.allreduce(jnp.abs(outputs - expected).max(), op=MPI.MAX, comm=comm)
    if rank == 0:
        print(f"{size} layers, largest difference on any rank: {float(difference):.1e}")


if __name__ == "__main__":
    main()
