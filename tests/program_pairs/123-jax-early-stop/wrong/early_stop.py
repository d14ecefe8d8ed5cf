"""Polynomial ridge regression with early stopping, several JAX processes."""
import os
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


@dataclass
class EarlyStopping:
    patience: int = 3
    min_delta: float = 1e-4
    best: float = float("inf")
    bad: int = 0

    def should_stop(self, value: float) -> bool:
        if value < self.best - self.min_delta:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def features(t):
    return np.stack([np.cos(k * np.arccos(t)) for k in range(12)], axis=1).astype(np.float32)


def local_share(seed, n):
    rng = np.random.default_rng(seed)
    t = rng.uniform(-1, 1, n)
    y = np.sign(t) * np.sqrt(np.abs(t)) + rng.normal(scale=0.2 + 0.3 * (t > 0), size=n)
    order = np.argsort(t)
    t, y = t[order], y[order]
    lo, hi = (n * (jax.process_index() + i) // jax.process_count() for i in (0, 1))
    return features(t[lo:hi]), y[lo:hi].astype(np.float32)


@jax.jit
def train_step(w, x, y):
    def loss(w):
        return jnp.mean((x @ w - y) ** 2) + 1e-4 * jnp.sum(w ** 2)
    return w - 0.05 * jax.grad(loss)(w)


def validation_loss(w, x, y):
    local = np.asarray(w.addressable_data(0))
    sq = np.array([np.sum((x @ local - y) ** 2), len(y)], np.float32)
    return float(sq[0] / sq[1])


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    mesh = Mesh(np.array(jax.devices()), ("batch",))
    place = jax.make_array_from_process_local_data
    rows = NamedSharding(mesh, P("batch"))
    x, y = (place(rows, a) for a in local_share(0, 240))
    xv, yv = local_share(1, 120)
    w = place(NamedSharding(mesh, P()), np.zeros(x.shape[1], np.float32))

    stopper = EarlyStopping()
    for epoch in range(400):
        for _ in range(5):
            w = train_step(w, x, y)
        if stopper.should_stop(validation_loss(w, xv, yv)):
            break
    multihost_utils.sync_global_devices("training-finished")
    if jax.process_index() == 0:
        print(f"stopped after epoch {epoch}, best {stopper.best:.5f}")


if __name__ == "__main__":
    main()
