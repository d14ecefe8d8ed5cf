import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


@jax.jit
def norm(x):
    return jnp.sqrt(mpi4jax.allreduce(jnp.sum(x * x), op=MPI.SUM, comm=comm))
