"""Multi-process logistic regression with early stopping on held-out data."""
import argparse
import os
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


@dataclass
class EarlyStopping:
    patience: int = 3
    min_delta: float = 1e-3
    best: float = field(default=float("inf"), init=False)
    waited: int = field(default=0, init=False)

    def should_stop(self, value):
        if value < self.best - self.min_delta:
            self.best, self.waited = value, 0
        else:
            self.waited += 1
        return self.waited >= self.patience


def nll(w, x, y):
    z = x @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


@jax.jit
def epoch_step(w, x, y):
    def body(_, w):
        return w - 0.5 * jax.grad(nll)(w, x, y)
    return jax.lax.fori_loop(0, 5, body, w)


def local_split(index, n=200, d=12):
    rng = np.random.default_rng(50 + index)
    x = rng.normal(size=(n, d)).astype(np.float32)
    logits = x[:, 0] * (0.5 + 1.5 * index) - x[:, 1]
    y = (logits + rng.logistic(size=n) > 0).astype(np.float32)
    return (x[:150], y[:150]), (x[150:], y[150:])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=60)
    args = ap.parse_args()
    jax.distributed.initialize(
        os.environ.get("COORDINATOR", "127.0.0.1:23461"),
        num_processes=int(os.environ.get("OMPI_COMM_WORLD_SIZE", "1")),
        process_id=int(os.environ.get("OMPI_COMM_WORLD_RANK", "0")),
        initialization_timeout=20,
    )
    me = jax.process_index()
    mesh = Mesh(np.array(jax.devices()), ("batch",))
    sharding = NamedSharding(mesh, P("batch"))
    train, valid = local_split(me)
    x, y = (jax.make_array_from_process_local_data(sharding, a) for a in train)

    w = jnp.zeros(x.shape[1])
    stopper = EarlyStopping()
    for epoch in range(args.epochs):
        w = epoch_step(w, x, y)
        w_host = np.asarray(w.addressable_data(0))
        val = float(nll(w_host, *valid))
        if stopper.should_stop(val):
            break

    print(f"process {me}: stopped after epoch {epoch}, best {stopper.best:.4f}", flush=True)
    multihost_utils.sync_global_devices("finished")
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
