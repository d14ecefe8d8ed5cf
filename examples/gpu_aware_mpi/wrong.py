"""Power iteration that enables GPU-aware MPI after the arrays have been created.

mpi4jax decides once how buffers are passed to MPI, when it is imported or compiles its first operation. A later change
of the flag has no effect: every message still uses host copies, and the benchmark of "GPU-aware MPI" measures those.

    mpirun -n 4 python examples/gpu_aware_mpi/wrong.py
"""

import os

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
    vector, value = improve(rows, vector)
    if jax.default_backend() == "gpu":
        os.environ["MPI4JAX_USE_CUDA_MPI"] = "1"  #! JM509
    else:
        os.environ["MPI4JAX_USE_SYCL_MPI"] = "1"  #! JM509
    for _ in range(ITERATIONS):
        vector, value = improve(rows, vector)
    expected = float(jnp.linalg.eigvalsh(matrix())[-1])
    if rank == 0:
        print(f"{size} ranks: largest eigenvalue {float(value):.3f}, direct {expected:.3f}")


if __name__ == "__main__":
    main()
