"""Tiny autoencoder trained on several processes, gradients averaged by hand."""
import argparse
import os
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


def init_params(key, dim, code):
    k1, k2 = jax.random.split(key)
    return {"enc": jax.random.normal(k1, (dim, code)) / np.sqrt(dim),
            "dec": jax.random.normal(k2, (code, dim)) / np.sqrt(code)}


def loss(params, x):
    return jnp.mean((jnp.tanh(x @ params["enc"]) @ params["dec"] - x) ** 2)


value_and_grad = jax.jit(jax.value_and_grad(loss))


def make_batch(rng, n, dim):
    basis = np.random.default_rng(0).normal(size=(3, dim))
    return jnp.asarray(rng.normal(size=(n, 3)) @ basis / 3, dtype=jnp.float32)


def mean_over_processes(tree):
    gathered = multihost_utils.process_allgather(tree)
    return jax.tree.map(lambda g: g.mean(axis=0), gathered)


def spread(params):
    allp = multihost_utils.process_allgather(params)
    return max(float(np.ptp(np.asarray(v), axis=0).max()) for v in jax.tree.leaves(allp))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--id", type=int, default=0)
    ap.add_argument("--n", type=int, default=1)
    ap.add_argument("--port", type=int, default=12766)
    ap.add_argument("--seed", type=int, default=None)
    opt = ap.parse_args()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{opt.port}", opt.n, opt.id)

    seed = opt.seed if opt.seed is not None else (time.time_ns() ^ os.getpid()) % 2**31
    params = init_params(jax.random.key(seed), 20, 4)
    params = multihost_utils.broadcast_one_to_all(params)

    rng = np.random.default_rng(100 + jax.process_index())
    for step in range(1, 101):
        value, grads = value_and_grad(params, make_batch(rng, 64, 20))
        grads = mean_over_processes(grads)
        params = jax.tree.map(lambda p, g: p - 0.5 * g, params, grads)
        if step % 50 == 0:
            value = mean_over_processes(value)
            if jax.process_index() == 0:
                print(f"step {step} loss {value:.5f}")
    gap = spread(params)
    if jax.process_index() == 0:
        print(f"largest difference between replicas {gap:.2e}")


if __name__ == "__main__":
    main()
