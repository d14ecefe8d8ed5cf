import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


def negative_log_likelihood(params, x, y):
    eta = x @ params["w"] + params["b"]
    return jnp.mean(jnp.exp(eta) - y * eta)


class PoissonModel:
    def __init__(self, comm, features):
        self.comm = comm
        self.params = {"w": jnp.zeros(features), "b": jnp.zeros(())}
        self._local = jax.jit(jax.value_and_grad(negative_log_likelihood))

    def _mean(self, value):
        return mpi4jax.allreduce(value, op=MPI.SUM, comm=self.comm) / self.comm.Get_size()

    def _check(self, loss):
        if not jnp.isfinite(loss):
            raise FloatingPointError(f"loss is {float(loss)}")

    def loss_and_grads(self, x, y):
        loss, grads = self._local(self.params, x, y)
        self._check(loss)
        return float(self._mean(loss)), jax.tree.map(self._mean, grads)

    def base_rate(self):
        return float(jnp.exp(self.params["b"]))
