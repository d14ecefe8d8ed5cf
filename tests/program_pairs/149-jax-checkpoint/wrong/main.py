"""Sharded linear model trained on all devices of all processes."""
import argparse
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from checkpoint import CheckpointManager


def put(array, sharding):
    return jax.make_array_from_callback(array.shape, sharding, lambda i: array[i])


def make_problem(mesh, rows=64, cols=240):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, cols)).astype(np.float32) / np.sqrt(cols)
    y = x @ rng.standard_normal(cols).astype(np.float32)
    return put(x, NamedSharding(mesh, P(None, "model"))), put(y, NamedSharding(mesh, P()))


@jax.jit
def train_step(state, x, y):
    def loss(w):
        return jnp.mean((x @ w - y) ** 2)
    value, g = jax.value_and_grad(loss)(state["w"])
    m = 0.9 * state["m"] + g
    return {"w": state["w"] - 0.5 * m, "m": m}, value


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--every", type=int, default=20)
    ap.add_argument("--folder", default="checkpoints")
    args = ap.parse_args()
    jax.distributed.initialize(os.environ["COORDINATOR_ADDRESS"],
                               int(os.environ["NUM_PROCESSES"]), int(os.environ["PROCESS_ID"]))
    mesh = Mesh(np.array(jax.devices()), ("model",))
    x, y = make_problem(mesh)
    sharding = NamedSharding(mesh, P("model"))
    state = {k: put(np.zeros(x.shape[1], np.float32), sharding) for k in ("w", "m")}
    manager = CheckpointManager(args.folder)

    for step in range(1, args.steps + 1):
        state, value = train_step(state, x, y)
        if step % args.every == 0:
            manager.save(step, state)
            if jax.process_index() == 0:
                print(f"step {step} loss {float(value):.3e}")

    again = manager.load(args.steps, state)
    _, a = train_step(state, x, y)
    _, b = train_step(again, x, y)
    if jax.process_index() == 0:
        print("restored state agrees:", float(a) == float(b))
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
