"""Fit a Fourier model on several processes, one shard of the data each."""
import argparse
import os
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from tracking import make_writer

ORDER = 6


def features(x):
    k = jnp.arange(1, ORDER + 1)
    return jnp.concatenate([jnp.sin(x[:, None] * k), jnp.cos(x[:, None] * k)], axis=1)


def loss_fn(w, x, y):
    return jnp.mean((features(x) @ w - y) ** 2)


@jax.jit
def update(w, x, y):
    return w - 0.2 * jax.grad(loss_fn)(w, x, y)


@jax.jit
def evaluate(w, x, y):
    residual = features(x) @ w - y
    return jnp.sqrt(jnp.mean(residual ** 2)), jnp.max(jnp.abs(residual))


class Run:
    def __init__(self, args):
        self.args = args
        self.mesh = Mesh(np.array(jax.devices()), ("data",))
        self.writer = make_writer(jax.process_index(), args.metrics)
        self.train = self.shard(seed=10)
        self.test = self.shard(seed=20)
        self.w = jax.device_put(np.zeros(2 * ORDER, np.float32), NamedSharding(self.mesh, P()))

    def shard(self, seed, n=256):
        rng = np.random.default_rng([seed, jax.process_index()])
        x = rng.uniform(-np.pi, np.pi, n).astype(np.float32)
        y = (np.sign(x) * 0.8 + 0.1 * rng.normal(size=n)).astype(np.float32)
        rows = NamedSharding(self.mesh, P("data"))
        return [jax.make_array_from_process_local_data(rows, a) for a in (x, y)]

    def fit(self):
        for step in range(1, self.args.steps + 1):
            self.w = update(self.w, *self.train)
            if step % self.args.eval_every == 0:
                rmse, worst = evaluate(self.w, *self.test)
                if self.writer is not None:
                    self.writer.write(step, rmse=rmse, worst=worst)
        multihost_utils.sync_global_devices("fitted")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--n", type=int, default=1)
    parser.add_argument("--port", type=int, default=12822)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--eval-every", type=int, default=20)
    parser.add_argument("--metrics", default=os.path.join(tempfile.gettempdir(), "regress.jsonl"))
    args = parser.parse_args()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{args.port}", args.n, args.id)
    Run(args).fit()


if __name__ == "__main__":
    main()
