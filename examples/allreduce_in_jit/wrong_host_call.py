"""Data-parallel regression that counts the samples with mpi4py inside the jitted step.

A call of mpi4py is not part of the compiled program: it runs while ``train_step`` is traced and never again. Each rank
traces once for each new shape. Here a short last batch makes the last rank trace once more: it waits for counts that no
other rank sends, and the job hangs.

    mpirun -n 4 timeout 60 python examples/allreduce_in_jit/wrong_host_call.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

SAMPLES, STEPS, RATE = 210, 300, 0.5
TRUTH = (1.5, -0.7)

world = MPI.COMM_WORLD
comm = world.Clone()
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
    gradient = mpi4jax.allreduce(gradient, op=MPI.SUM, comm=comm)
    count = world.allreduce(features.shape[0], op=MPI.SUM)  #! JM506
    return weights - RATE * gradient / count, loss / count


def main() -> None:
    """Fit; every rank communicates, only rank 0 prints."""
    features, targets = make_samples()
    mine = slice(rank * SAMPLES // size, (rank + 1) * SAMPLES // size)
    weights = jnp.zeros(len(TRUTH))
    loss = jnp.zeros(())
    for step in range(STEPS):
        if step == STEPS - 1 and rank == size - 1:
            mine = slice(SAMPLES - 10, SAMPLES)
        weights, loss = train_step(weights, features[mine], targets[mine])
    if rank == 0:
        print(f"{size} ranks: weights {weights[0]:.4f} {weights[1]:.4f}, loss {loss:.1e}")


if __name__ == "__main__":
    main()
