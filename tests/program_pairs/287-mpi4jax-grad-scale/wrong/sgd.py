"""Mini-batch SGD for robust regression; gradient averaging through mpi4jax."""
import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

LR = 0.75
STEPS = 120


def huber(r, delta=1.0):
    a = jnp.abs(r)
    return jnp.where(a < delta, 0.5 * r * r, delta * (a - 0.5 * delta))


def loss(params, x, y):
    pred = x @ params["w"] + params["b"]
    return jnp.mean(huber(pred - y))


def all_mean(tree):
    def one(leaf):
        leaf = mpi4jax.allreduce(leaf, op=MPI.SUM, comm=comm)
        return leaf
    return jax.tree.map(one, tree)


@jax.jit
def step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    value = mpi4jax.allreduce(value, op=MPI.SUM, comm=comm) / size
    grads = all_mean(grads)
    new = jax.tree.map(lambda p, g: p - LR * g, params, grads)
    return new, value


def sample(rng, n, w, b):
    x = rng.normal(size=(n, w.size))
    y = x @ w + b + 0.1 * rng.standard_t(2, size=n)
    return jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.float32)


def main():
    w_true = np.array([1.5, -2.0, 0.7, 0.0])
    rng = np.random.default_rng(60 + rank)
    params = {"w": jnp.zeros(4), "b": jnp.zeros(())}
    history = []
    for it in range(STEPS):
        x, y = sample(rng, 128, w_true, 0.3)
        params, value = step(params, x, y)
        history.append(float(value))
    if rank == 0:
        print("w", np.round(np.asarray(params["w"]), 3), "b", round(float(params["b"]), 3))
        print("loss first %.4f last %.4f" % (history[0], np.mean(history[-10:])))


main()
