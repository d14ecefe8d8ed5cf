"""Power iteration on matrix rows distributed over ranks, with GPU buffers passed to MPI only if this MPI accepts them.

``MPI4JAX_USE_CUDA_MPI=1`` makes mpi4jax pass device pointers to MPI. An MPI without GPU support dereferences them on
the host, which is a segmentation fault, and mpi4jax cannot detect this in advance. The library can be queried: Open MPI
and MPICH have an ``MPIX_Query_*_support`` function. The answer is used before jax and mpi4jax are imported.

    mpirun -n 4 python examples/gpu_aware_mpi/right.py
"""

import ctypes
import os

from mpi4py import MPI


def answers_yes(query: str) -> bool:
    """The answer of the MPI library used by mpi4py; False if it does not have the query."""
    function = getattr(ctypes.CDLL(MPI.__file__), query, None)
    return function is not None and bool(function())


os.environ["MPI4JAX_USE_CUDA_MPI"] = "1" if answers_yes("MPIX_Query_cuda_support") else "0"
os.environ["MPI4JAX_USE_SYCL_MPI"] = "1" if answers_yes("MPIX_Query_ze_support") else "0"

import jax
import jax.numpy as jnp
import mpi4jax

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
        path = "device pointers" if os.environ["MPI4JAX_USE_CUDA_MPI"] == "1" else "host copies"
        print(f"{size} ranks, {path}: largest eigenvalue {float(value):.3f}, direct {expected:.3f}")


if __name__ == "__main__":
    main()
