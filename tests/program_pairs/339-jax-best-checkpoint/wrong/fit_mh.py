"""Fit a two-layer network on several processes and keep the best parameters on disk."""
import argparse
import os
import pickle
import shutil
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils as mhu


def network(params, x):
    h = jnp.tanh(x @ params["w1"] + params["b1"])
    return h @ params["w2"]


def loss_fn(params, x, y):
    return jnp.mean((network(params, x)[:, 0] - y) ** 2)


loss_and_grad = jax.jit(jax.value_and_grad(loss_fn))
valid_loss = jax.jit(loss_fn)


def initial(width=16):
    k1, k2 = jax.random.split(jax.random.key(0))
    return {"w1": jax.random.normal(k1, (2, width)), "b1": jnp.zeros(width),
            "w2": jax.random.normal(k2, (width, 1)) / width ** 0.5}


def data(seed, process, n):
    rng = np.random.default_rng([seed, process])
    x = rng.uniform(-2, 2, (n, 2)).astype(np.float32)
    y = np.sin(x[:, 0]) * x[:, 1] + 0.8 * rng.normal(size=n)
    return x, y.astype(np.float32)


def average(tree):
    """Mean over the processes of every leaf."""
    return jax.tree.map(lambda leaf: leaf.mean(axis=0), mhu.process_allgather(tree, tiled=False))


class BestKeeper:
    def __init__(self, folder):
        self.folder = folder
        self.best = float("inf")
        self.saved = 0

    def offer(self, step, value, params):
        if value < self.best:
            self.best = value
            self.saved += 1
            self.save(step, params)

    def save(self, step, params):
        if jax.process_index() == 0:
            with open(os.path.join(self.folder, "best.pkl"), "wb") as f:
                pickle.dump((step, jax.tree.map(np.asarray, params)), f)
        mhu.sync_global_devices(f"saved {self.saved}")


def train(args, keeper):
    x, y = data(1, args.id, 20)
    xv, yv = data(2, args.id, 16)
    params = initial()
    for step in range(1, args.steps + 1):
        _, grads = loss_and_grad(params, x, y)
        grads = average(grads)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        if step % 5 == 0:
            keeper.offer(step, float(valid_loss(params, xv, yv)), params)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--n", type=int, default=1)
    parser.add_argument("--port", type=int, default=12823)
    parser.add_argument("--steps", type=int, default=600)
    args = parser.parse_args()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{args.port}", args.n, args.id)
    folder = tempfile.mkdtemp() if args.id == 0 else None
    keeper = BestKeeper(folder)
    train(args, keeper)
    if args.id == 0:
        print(f"best validation loss {keeper.best:.4f}, saved {keeper.saved} times", os.listdir(folder))
        shutil.rmtree(folder)
    mhu.sync_global_devices("end")


if __name__ == "__main__":
    main()
