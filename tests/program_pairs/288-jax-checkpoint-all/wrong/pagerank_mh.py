"""PageRank with row-sharded link matrix over jax.distributed processes."""
import argparse
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


def links(n, seed=21):
    rng = np.random.default_rng(seed)
    a = (rng.random((n, n)) < 0.05).astype(np.float32)
    a[a.sum(axis=1) == 0, 0] = 1.0
    return a / a.sum(axis=1, keepdims=True)


class Checkpoint:
    def __init__(self, path):
        self.path = path

    def save(self, it, ranks):
        np.savez(self.path, it=it, ranks=np.asarray(ranks))
        multihost_utils.sync_global_devices(f"ckpt-{it}")

    def load(self):
        with np.load(self.path) as z:
            return int(z["it"]), jnp.asarray(z["ranks"])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--id", type=int, default=0)
    ap.add_argument("--n", type=int, default=1)
    ap.add_argument("--nodes", type=int, default=300)
    ap.add_argument("--damping", type=float, default=0.85)
    opt = ap.parse_args()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize("localhost:12768", opt.n, opt.id)
    pid, nproc = jax.process_index(), jax.process_count()

    full = links(opt.nodes)
    rows = np.array_split(np.arange(opt.nodes), nproc)[pid]
    mine = jnp.asarray(full[rows])
    ckpt = Checkpoint("pagerank.npz")

    @jax.jit
    def partial_product(r):
        return r[rows] @ mine

    r = jnp.full(opt.nodes, 1.0 / opt.nodes)
    for it in range(1, 41):
        part = partial_product(r)
        new = multihost_utils.process_allgather(part).sum(axis=0)
        new = opt.damping * new + (1 - opt.damping) / opt.nodes
        r = jnp.asarray(new)
        if it % 10 == 0:
            ckpt.save(it, r)
    it, saved = ckpt.load()
    multihost_utils.sync_global_devices("loaded")
    if pid == 0:
        top = np.argsort(-np.asarray(saved))[:3]
        print("iteration", it, "top", top, "sum", round(float(saved.sum()), 5))
        os.remove(ckpt.path)


if __name__ == "__main__":
    main()
