from functools import partial

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


@partial(jax.jit, static_argnames="ranks")
def mean_and_scale(total, total_of_squares, count, ranks):
    mean = total / (count * ranks)
    return mean, jnp.sqrt(total_of_squares / (count * ranks) - mean**2)


def standardise(comm, x):
    """Scale the columns of the spread data set to mean 0 and deviation 1."""
    size = comm.Get_size()
    total = mpi4jax.allreduce(x.sum(axis=0), op=MPI.SUM, comm=comm)
    squares = mpi4jax.allreduce(jnp.square(x).sum(axis=0), op=MPI.SUM, comm=comm)
    mean, scale = mean_and_scale(total, squares, x.shape[0], size)
    return (x - mean) / scale


def main():
    comm = MPI.COMM_WORLD.Clone()
    rank = comm.Get_rank()
    x = jax.random.uniform(jax.random.PRNGKey(rank), (500, 3)) + rank
    z = standardise(comm, x)
    check = mpi4jax.allreduce(z.sum(axis=0), op=MPI.SUM, comm=comm)
    if rank == 0:
        print("columns sum to zero:", bool(jnp.all(jnp.abs(check) < 0.1)))


if __name__ == "__main__":
    main()
