"""Power iteration whose communicator is freed after the first matrix, while a compiled function still holds it.

``jax.jit`` keeps the handle of the communicator inside the compiled program. After ``Free`` the next call passes an
invalid handle to MPI: a segmentation fault, or garbage and exit code 0, depending on the MPI library.

    mpirun -n 2 python examples/two_libraries/wrong_freed.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

ORDER = 64

arrays = MPI.COMM_WORLD.Clone()
rank = arrays.Get_rank()
size = arrays.Get_size()


@jax.jit
def improve(block: jax.Array, vector: jax.Array) -> jax.Array:
    """One power iteration; every rank holds some columns of the matrix and the matching part of the vector."""
    product = mpi4jax.allreduce(block @ vector, op=MPI.SUM, comm=arrays)
    product = product / jnp.linalg.norm(product)
    return product[rank * (ORDER // size) : (rank + 1) * (ORDER // size)]


def columns(shift: float) -> jax.Array:
    """This rank's columns of a symmetric matrix."""
    index = jnp.arange(ORDER, dtype=jnp.float32)
    matrix = 1.0 / (1.0 + jnp.abs(index[:, None] - index[None, :])) + shift * jnp.eye(ORDER)
    return jnp.split(matrix, size, axis=1)[rank]


def main() -> None:
    """The dominant vectors of two matrices."""
    vector = jnp.ones(ORDER // size)
    for _ in range(20):
        vector = improve(columns(0.0), vector)
    jax.effects_barrier()
    arrays.Free()

    vector = improve(columns(1.0), vector)  #! JM413
    print(f"rank {rank}: part of the second vector has norm {float(jnp.linalg.norm(vector)):.3f}")


if __name__ == "__main__":
    main()
