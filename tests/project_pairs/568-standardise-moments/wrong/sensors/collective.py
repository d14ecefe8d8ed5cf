"""Reductions over the ranks of a communicator."""
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


def total(value, comm):
    return mpi4jax.allreduce(jnp.asarray(value), op=MPI.SUM, comm=comm)


def mean_of_rows(rows, comm):
    """Mean over the rows of all ranks."""
    count = total(jnp.float32(rows.shape[0]), comm)
    return total(rows.sum(axis=0), comm) / count


def largest(value, comm):
    return mpi4jax.allreduce(jnp.asarray(value), op=MPI.MAX, comm=comm)


def smallest(value, comm):
    return mpi4jax.allreduce(jnp.asarray(value), op=MPI.MIN, comm=comm)
