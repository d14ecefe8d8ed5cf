"""Data-parallel regression written for mpi4jax before 0.8, whose operations returned an (array, token) pair.

The model has two weights, so the gradient can be unpacked: its first component becomes the array, its second one the
token. The remaining scalar broadcasts, both weights change equally and never reach the solution; exit code 0.

    mpirun -n 4 python examples/allreduce_in_jit/wrong.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

SAMPLES, STEPS, RATE = 210, 300, 0.5
TRUTH = (1.5, -0.7)

comm = MPI.COMM_WORLD.Clone()
rank = comm.Get_rank()
size = comm.Get_size()


def make_samples() -> tuple[jax.Array, jax.Array]:
    """All samples: features in the columns, one target each."""
    features = jax.random.normal(jax.random.key(3), (SAMPLES, len(TRUTH)))
    return features, features @ jnp.array(TRUTH)


def squared_error(weights: jax.Array, features: jax.Array, targets: jax.Array) -> jax.Array:
    """Summed over the samples given."""
    return 0.5 * jnp.sum((features @ weights - targets) ** 2)


@jax.jit
def train_step(weights: jax.Array, features: jax.Array, targets: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Weights after one step on the samples of all ranks, and the mean loss before it; equal on every rank."""
    loss, gradient = jax.value_and_grad(squared_error)(weights, features, targets)
    loss = mpi4jax.allreduce(loss, op=MPI.SUM, comm=comm)
    gradient, _ = mpi4jax.allreduce(gradient, op=MPI.SUM, comm=comm)  #! JM501
    count = mpi4jax.allreduce(jnp.float32(features.shape[0]), op=MPI.SUM, comm=comm)
    return weights - RATE * gradient / count, loss / count


def main() -> None:
    """Fit; every rank communicates, only rank 0 prints."""
    features, targets = make_samples()
    mine = slice(rank * SAMPLES // size, (rank + 1) * SAMPLES // size)
    weights = jnp.zeros(len(TRUTH))
    loss = jnp.zeros(())
    for _ in range(STEPS):
        weights, loss = train_step(weights, features[mine], targets[mine])
    if rank == 0:
        print(f"{size} ranks: weights {weights[0]:.4f} {weights[1]:.4f}, loss {loss:.1e}")


if __name__ == "__main__":
    main()
