"""Logistic regression on sharded data that goes on from a checkpoint on the disk of process 0."""
import argparse
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import store

FEATURES = 8


def fresh_params():
    return {"bias": np.zeros((), np.float32), "weights": np.zeros(FEATURES, np.float32)}


def restore(path):
    """Step and parameters to start with, the same on all processes."""
    step, params = 0, None
    if jax.process_index() == 0:
        step, params = store.load(path)
        if params is None:
            params = fresh_params()
    return multihost_utils.broadcast_one_to_all((np.int32(step), params))


def local_data(rows=200):
    rng = np.random.default_rng([6, jax.process_index()])
    x = rng.normal(size=(rows, FEATURES)).astype(np.float32)
    logit = x @ np.linspace(-1, 1, FEATURES) + 0.3
    y = (rng.random(rows) < 1 / (1 + np.exp(-logit))).astype(np.float32)
    return x, y


def loss_fn(params, x, y):
    z = x @ params["weights"] + params["bias"]
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


@jax.jit
def update(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree_util.tree_map(lambda p, g: p - 0.5 * g, params, grads), loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--checkpoint", default="logistic.npz")
    args = parser.parse_args()
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))

    mesh = Mesh(np.array(jax.devices()), ("data",))
    rows = NamedSharding(mesh, P("data"))
    x, y = (jax.make_array_from_process_local_data(rows, a) for a in local_data())
    start, params = restore(args.checkpoint)
    params = jax.device_put(params, NamedSharding(mesh, P()))

    for step in range(int(start), int(start) + args.steps):
        params, loss = update(params, x, y)
    host = {name: np.asarray(value) for name, value in params.items()}
    if jax.process_index() == 0:
        store.save(args.checkpoint, host, step + 1)
        print(f"step {step + 1}  loss {float(loss):.6f}  |w| {np.linalg.norm(host['weights']):.5f}")
    multihost_utils.sync_global_devices("saved")


if __name__ == "__main__":
    main()
