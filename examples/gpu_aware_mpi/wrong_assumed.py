"""Power iteration that passes GPU buffers to MPI without a query whether this MPI accepts them.

The flag is set in time, but on every machine. Where MPI was built without GPU support, the first message from a GPU
causes a segmentation fault inside MPI; on a machine without GPUs the program works, and so do its tests.

    mpirun -n 4 python examples/gpu_aware_mpi/wrong_assumed.py
"""

import os

# later: JM510
os.environ["MPI4JAX_USE_CUDA_MPI"] = "1"

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

ORDER, ITERATIONS = 64, 200

comm = MPI.COMM_WORLD.Clone()
rank = comm.Get_rank()
size = comm.Get_size()


def matrix() -> jax.Array:
    """A symmetric matrix with a known dominant eigenvector: that of a chain of springs."""
    return jnp.diag(jnp.full(ORDER, 2.0)) + jnp.eye(ORDER, k=1) + jnp.eye(ORDER, k=-1) + jnp.ones((ORDER, ORDER))


@jax.jit
def improve(rows: jax.Array, vector: jax.Array) -> tuple[jax.Array, jax.Array]:
    """One iteration: the next vector and the Rayleigh quotient, both on every rank."""
    product = mpi4jax.allgather(rows @ vector, comm=comm).reshape(ORDER)
    return product / jnp.linalg.norm(product), product @ vector


def main() -> None:
    """The largest eigenvalue, compared with a direct computation."""
    rows = jnp.split(matrix(), size)[rank]
    vector = jnp.ones(ORDER) / jnp.sqrt(ORDER)
    value = jnp.zeros(())
    for _ in range(ITERATIONS):
        vector, value = improve(rows, vector)
    expected = float(jnp.linalg.eigvalsh(matrix())[-1])
    if rank == 0:
        print(f"{size} ranks: largest eigenvalue {float(value):.3f}, direct {expected:.3f}")


if __name__ == "__main__":
    main()
