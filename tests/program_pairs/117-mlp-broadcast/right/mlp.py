"""Data-parallel training of a small MLP, gradients averaged with mpi4jax."""
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

COMM = MPI.COMM_WORLD


@dataclass
class Config:
    widths: tuple = (3, 16, 1)
    samples: int = 240
    steps: int = 40
    lr: float = 0.05


def init_params(rng, widths):
    return [{"w": jnp.asarray(rng.normal(size=(n_in, n_out)) / np.sqrt(n_in)),
             "b": jnp.asarray(np.zeros(n_out))}
            for n_in, n_out in zip(widths[:-1], widths[1:])]


def sync_params(params, root=0):
    return jax.tree.map(lambda p: mpi4jax.bcast(p, root, comm=COMM), params)


def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return (x @ last["w"] + last["b"])[:, 0]


def loss(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


def mean_over_ranks(tree):
    return jax.tree.map(lambda g: mpi4jax.allreduce(g, op=MPI.SUM, comm=COMM) / COMM.size, tree)


def shard(cfg):
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (cfg.samples, cfg.widths[0]))
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2]
    keep = cfg.samples // COMM.size * COMM.size
    return jnp.asarray(x[:keep][COMM.rank::COMM.size]), jnp.asarray(y[:keep][COMM.rank::COMM.size])


def main():
    cfg = Config()
    x, y = shard(cfg)
    params = init_params(np.random.default_rng(100 + COMM.rank), cfg.widths)
    params = sync_params(params)

    @jax.jit
    def update(params):
        grads = mean_over_ranks(jax.grad(loss)(params, x, y))
        return jax.tree.map(lambda p, g: p - cfg.lr * g, params, grads)

    for step in range(cfg.steps):
        params = update(params)

    losses = COMM.gather(float(loss(params, x, y)))
    norms = COMM.gather(float(jnp.linalg.norm(params[0]["w"])))
    if COMM.rank == 0:
        print(f"loss {np.mean(losses):.5f}, |w| differs by {max(norms) - min(norms):.2e}")


if __name__ == "__main__":
    main()
