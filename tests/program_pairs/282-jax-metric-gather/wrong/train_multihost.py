"""Polynomial regression over several hosts with jax.distributed (CPU)."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--id", type=int, default=0)
    p.add_argument("--n", type=int, default=1)
    p.add_argument("--address", default="localhost:12761")
    p.add_argument("--steps", type=int, default=60)
    return p.parse_args()


def features(x, degree=4):
    return jnp.stack([x ** k for k in range(degree + 1)], axis=-1)


@jax.jit
def loss_fn(w, x, y):
    return jnp.mean((features(x) @ w - y) ** 2)


grad_fn = jax.jit(jax.value_and_grad(loss_fn))


def local_data(pid, n=256):
    rng = np.random.default_rng(40 + pid)
    x = rng.uniform(-1, 1, n)
    y = np.sin(2.5 * x) + 0.05 * rng.normal(size=n)
    return jnp.asarray(x), jnp.asarray(y)


def log_metrics(step, loss):
    per_host = multihost_utils.process_allgather(loss)
    print(f"step {step:3d} loss {per_host.mean():.5f} worst {per_host.max():.5f}", flush=True)


def main():
    args = parse()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(args.address, args.n, args.id)
    x, y = local_data(jax.process_index())
    w = jnp.zeros(5)
    for step in range(1, args.steps + 1):
        loss, g = grad_fn(w, x, y)
        g = multihost_utils.process_allgather(g).mean(axis=0)
        w = w - 0.3 * g
        if step % 20 == 0 and jax.process_index() == 0:
            log_metrics(step, loss)
    multihost_utils.sync_global_devices("done")
    if jax.process_index() == 0:
        print(np.round(np.asarray(w), 4))


if __name__ == "__main__":
    main()
