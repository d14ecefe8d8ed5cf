"""Data parallel network for a noisy regression, learning rate lowered on plateaus."""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from plateau import ReduceOnPlateau

HIDDEN, FEATURES, TRAIN, VALID = 16, 5, 128, 24


def make_data(rows, kind):
    rng = np.random.default_rng([jax.process_index(), kind])
    x = rng.normal(size=(rows, FEATURES)).astype(np.float32)
    y = np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + 0.3 * rng.normal(size=rows)
    return x, y.astype(np.float32)


def init():
    rng = np.random.default_rng(0)
    return {"w1": rng.normal(0, 0.4, (FEATURES, HIDDEN)).astype(np.float32),
            "b1": np.zeros(HIDDEN, np.float32),
            "w2": rng.normal(0, 0.4, HIDDEN).astype(np.float32)}


def predict(params, x):
    return jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"]


def mse(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


@jax.jit
def train_step(params, x, y, rate):
    loss, grads = jax.value_and_grad(mse)(params, x, y)
    return jax.tree_util.tree_map(lambda p, g: p - rate * g, params, grads), loss


def on_host(params):
    return {k: np.asarray(v.addressable_data(0)) for k, v in params.items()}


def main(epochs=30, steps=3):
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    mesh = Mesh(np.array(jax.devices()), ("data",))
    sharded, replicated = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    x, y = (jax.make_array_from_process_local_data(sharded, a) for a in make_data(TRAIN, 0))
    xv, yv = make_data(VALID, 1)

    params = jax.device_put(init(), replicated)
    schedule = ReduceOnPlateau(rate=0.3)
    rate = schedule.rate
    for epoch in range(epochs):
        for _ in range(steps):
            params, loss = train_step(params, x, y, rate)
        local = float(mse(on_host(params), xv, yv))
        rate = schedule.update(local)

    host = on_host(params)
    norm = np.sqrt(sum(float((v.astype(np.float64) ** 2).sum()) for v in host.values()))
    table = multihost_utils.process_allgather(np.array([rate, norm], np.float32)).reshape(-1, 2)
    if jax.process_index() == 0:
        print(f"training loss {float(loss):.5f}")
        for process, (r, n) in enumerate(table):
            print(f"process {process}: last rate {r:.5f}, norm of the parameters {n:.5f}")


if __name__ == "__main__":
    main()
