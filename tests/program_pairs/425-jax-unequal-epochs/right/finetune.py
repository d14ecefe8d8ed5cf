"""Fine-tune a bag-of-words classifier on text files, one shard list per host.

COORD, NPROC and PROC come from the job script.
"""
import os
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


@dataclass
class Hyper:
    batch_per_host: int = 8
    epochs: int = 2
    lr: float = 0.5
    vocab: int = 64


def setup():
    jax.distributed.initialize(coordinator_address=os.environ["COORD"],
                               num_processes=int(os.environ["NPROC"]),
                               process_id=int(os.environ["PROC"]))


class HostDataset:
    """The examples whose files live on this host."""

    def __init__(self, hyper):
        pid = jax.process_index()
        rng = np.random.default_rng(pid)
        n = 70 + 23 * pid        # the crawl gave shards of different size
        self.y = rng.integers(0, 2, size=n)
        p = np.where(self.y[:, None] == 1, 1.2, 0.8) * np.ones(hyper.vocab)
        p[:, hyper.vocab // 2:] = 1.0
        self.x = rng.poisson(p).astype(np.float32)
        self.hyper = hyper

    def __len__(self):
        return len(self.y)

    @property
    def full_batches(self):
        return len(self) // self.hyper.batch_per_host

    def epoch(self, seed):
        order = np.random.default_rng([seed, jax.process_index()]).permutation(len(self))
        b = self.hyper.batch_per_host
        for i in range(self.full_batches):
            k = order[i * b:(i + 1) * b]
            yield self.x[k], self.y[k].astype(np.float32)


class Trainer:
    def __init__(self, hyper):
        self.h = hyper
        self.mesh = Mesh(np.array(jax.devices()), ("x",))
        self.shard = NamedSharding(self.mesh, P("x"))
        self.w = jax.device_put(np.zeros(hyper.vocab, np.float32), NamedSharding(self.mesh, P()))

        @jax.jit
        def step(w, x, y):
            def f(w):
                z = x @ w / hyper.vocab ** 0.5
                return jnp.mean(jnp.logaddexp(0.0, z) - y * z)
            v, g = jax.value_and_grad(f)(w)
            return w - hyper.lr * g, v
        self.step = step

    def steps_per_epoch(self, ds):
        n = multihost_utils.process_allgather(np.array([ds.full_batches]))
        return int(np.min(n))

    def run_epoch(self, ds, seed):
        nsteps = self.steps_per_epoch(ds)
        losses = []
        for i, (x, y) in enumerate(ds.epoch(seed)):
            if i == nsteps:
                break
            gx = jax.make_array_from_process_local_data(self.shard, x)
            gy = jax.make_array_from_process_local_data(self.shard, y)
            self.w, v = self.step(self.w, gx, gy)
            losses.append(v)
        return float(np.mean([float(l) for l in losses])), len(losses)


def main():
    setup()
    hyper = Hyper()
    ds = HostDataset(hyper)
    tr = Trainer(hyper)
    for e in range(hyper.epochs):
        loss, n = tr.run_epoch(ds, e)
        print(f"[{jax.process_index()}] epoch {e}: {n} steps, loss {loss:.4f}", flush=True)
    multihost_utils.sync_global_devices("end")


if __name__ == "__main__":
    main()
