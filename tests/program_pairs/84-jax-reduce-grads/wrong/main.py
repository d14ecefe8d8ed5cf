"""Data-parallel training of a tiny MLP with mpi4jax."""
import argparse

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from jax.flatten_util import ravel_pytree
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def init_params(key, widths=(2, 16, 1)):
    params = []
    for fan_in, fan_out in zip(widths[:-1], widths[1:]):
        key, sub = jax.random.split(key)
        params.append((jax.random.normal(sub, (fan_in, fan_out)) / fan_in ** 0.5,
                       jnp.zeros(fan_out)))
    return params


def predict(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return (x @ w + b)[:, 0]


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


def mean_over_ranks(tree):
    flat, unravel = ravel_pytree(tree)
    flat = mpi4jax.reduce(flat, op=MPI.SUM, root=0, comm=comm)
    return unravel(flat / size)


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    loss, grads = mean_over_ranks((loss, grads))
    params = jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)
    return params, loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=60)
    args = ap.parse_args()

    params = init_params(jax.random.PRNGKey(0))
    rng = np.random.default_rng(rank)
    for step in range(args.steps):
        x = rng.uniform(-1, 1, size=(32, 2))
        y = np.sin(3 * x[:, 0]) * x[:, 1]
        params, loss = train_step(params, jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.float32))
        if rank == 0 and (step + 1) % 20 == 0:
            print(f"step {step + 1} loss {float(loss):.5f}", flush=True)

    digests = comm.gather(float(ravel_pytree(params)[0].sum()), root=0)
    if rank == 0:
        print("parameter sums", [round(d, 5) for d in digests])


if __name__ == "__main__":
    main()
