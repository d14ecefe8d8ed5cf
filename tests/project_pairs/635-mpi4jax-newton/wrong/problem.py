"""Regularised Poisson regression, rows distributed over the ranks."""
import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI


class PoissonRegression:
    """Objective, gradient and Hessian-vector products summed over all rows."""

    def __init__(self, comm, x, y, l2=1e-2):
        self.comm = comm
        self.x = jnp.asarray(x)
        self.y = jnp.asarray(y)
        self.l2 = l2
        self._local = jax.jit(self._local_loss)
        self._grad = jax.jit(jax.grad(self._local_loss))
        self._hvp = jax.jit(self._local_hvp)

    def _local_loss(self, w):
        eta = self.x @ w
        return jnp.sum(jnp.exp(eta) - self.y * eta)

    def _local_hvp(self, w, p):
        rate = jnp.exp(self.x @ w)
        return self.x.T @ (rate * (self.x @ p))

    def value(self, w):
        loss = mpi4jax.reduce(self._local(w), op=MPI.SUM, root=0, comm=self.comm)
        return loss + 0.5 * self.l2 * jnp.vdot(w, w)

    def gradient(self, w):
        g = mpi4jax.allreduce(self._grad(w), op=MPI.SUM, comm=self.comm)
        return g + self.l2 * w

    def hessian_product(self, w, p):
        h = mpi4jax.allreduce(self._hvp(w, p), op=MPI.SUM, comm=self.comm)
        return h + self.l2 * p


def make_rows(rank, n=400, dim=10):
    """The rows of one rank and the true weights (these are common)."""
    w_true = 0.4 * np.random.default_rng(0).normal(size=dim)
    rng = np.random.default_rng([5, rank])
    x = rng.normal(size=(n, dim)) * rng.uniform(0.2, 1.2)
    y = rng.poisson(np.exp(x @ w_true))
    return x, y.astype(float), w_true
