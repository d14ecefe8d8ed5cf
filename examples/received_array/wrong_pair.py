"""A pipelined network that unpacks the result as mpi4jax before 0.8 returned it, an (array, token) pair.

With a batch of two samples the unpacking succeeds: the first sample becomes the array, the second one is dropped as the
token. Shapes broadcast, there is no error, half of the result is wrong. Every other batch size raises ``ValueError``.

    mpirun -n 4 python examples/received_array/wrong_pair.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

BATCH, WIDTH = 2, 16

comm = MPI.COMM_WORLD.Clone()
rank = comm.Get_rank()
size = comm.Get_size()


def apply_layer(index: int, activations: jax.Array) -> jax.Array:
    """One dense layer; its weights are a function of its index, so any rank can compute them."""
    key = jax.random.fold_in(jax.random.key(7), index)
    weights = jax.random.normal(key, (WIDTH, WIDTH)) / jnp.sqrt(WIDTH)
    return jnp.tanh(activations @ weights)


def main() -> None:
    """Every rank applies its layer to the samples of rank 0; the outputs are averaged over the layers."""
    samples = jnp.sin(jnp.arange(BATCH * WIDTH, dtype=jnp.float32)).reshape(BATCH, WIDTH)
    inputs = samples if rank == 0 else jnp.zeros_like(samples)
    inputs, _ = mpi4jax.bcast(inputs, root=0, comm=comm)  #! JM501
    total = mpi4jax.allreduce(apply_layer(rank, inputs), op=MPI.SUM, comm=comm)

    expected = jnp.stack([apply_layer(index, samples) for index in range(size)]).sum(axis=0)
    if rank == 0:
        print(f"{size} layers, largest difference: {float(jnp.abs(total - expected).max()):.1e}")


if __name__ == "__main__":
    main()
