import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


class Objective:
    """Sum over ranks of a robust regression loss on local data."""

    def __init__(self, comm, x, y):
        self.comm, self.x, self.y = comm, x, y
        self.local = jax.jit(self._local)
        self.local_grad = jax.jit(jax.grad(self._local))

    def _local(self, w):
        r = self.x @ w - self.y
        return jnp.sum(jnp.sqrt(1.0 + r * r) - 1.0)

    def value(self, w):
        return mpi4jax.allreduce(self.local(w), op=MPI.SUM, comm=self.comm)

    def gradient(self, w):
        return mpi4jax.allreduce(self.local_grad(w), op=MPI.SUM, comm=self.comm)

    def lipschitz(self):
        """Upper bound for the curvature along any direction."""
        bound = jnp.sum(self.x * self.x)
        return float(bound)
