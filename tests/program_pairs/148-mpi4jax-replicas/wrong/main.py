"""Data parallel regression network, gradients averaged with mpi4jax."""
import argparse
import logging

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

log = logging.getLogger("train")
comm = MPI.COMM_WORLD


def mean_over_ranks(tree):
    return jax.tree.map(lambda g: mpi4jax.allreduce(g, op=MPI.SUM, comm=comm) / comm.size, tree)


class Net:
    def __init__(self, sizes):
        self.sizes = sizes

    def init(self, key):
        params = []
        for fan_in, fan_out in zip(self.sizes[:-1], self.sizes[1:]):
            key, sub = jax.random.split(key)
            params.append((jax.random.normal(sub, (fan_in, fan_out)) / np.sqrt(fan_in), jnp.zeros(fan_out)))
        return params

    def __call__(self, params, x):
        *hidden, (w, b) = params
        for hw, hb in hidden:
            x = jnp.tanh(x @ hw + hb)
        return x @ w + b


class Trainer:
    def __init__(self, net, lr, seed):
        self.net, self.lr = net, lr
        self.key = jax.random.PRNGKey(seed + comm.rank)
        self.key, init_key = jax.random.split(self.key)
        self.params = net.init(init_key)
        self._update = jax.jit(self.update)

    def loss(self, params, x, y):
        return jnp.mean((self.net(params, x) - y) ** 2)

    def update(self, params, x, y):
        value, grads = jax.value_and_grad(self.loss)(params, x, y)
        grads = mean_over_ranks(grads)
        params = jax.tree.map(lambda p, g: p - self.lr * g, params, grads)
        return params, mpi4jax.allreduce(value, op=MPI.SUM, comm=comm) / comm.size

    def batch(self, n):
        self.key, kx, kn = jax.random.split(self.key, 3)
        x = jax.random.uniform(kx, (n, 2), minval=-1, maxval=1)
        y = jnp.sin(3 * x[:, :1]) * x[:, 1:] + 0.01 * jax.random.normal(kn, (n, 1))
        return x, y

    def fit(self, steps, n):
        value = jnp.inf
        for step in range(steps):
            self.params, value = self._update(self.params, *self.batch(n))
            if step % 50 == 0:
                log.info("step %4d loss %.5f", step, float(value))
        return float(value)


def fingerprint(params):
    return round(sum(float(jnp.abs(p).sum()) for p in jax.tree.leaves(params)), 3)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=151)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING, format="%(message)s")
    trainer = Trainer(Net([2, 24, 1]), lr=0.1, seed=0)
    final = trainer.fit(args.steps, args.batch)
    prints = comm.gather(fingerprint(trainer.params), root=0)
    if comm.rank == 0:
        print(f"final loss {final:.5f}, fingerprints {prints}")


if __name__ == "__main__":
    main()
