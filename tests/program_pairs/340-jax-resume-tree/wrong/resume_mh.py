"""Autoencoder training that goes on from the checkpoint which process 0 finds on its disk."""
import argparse
import os
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils as mhu

from state import fresh_state, read_state, write_state

WIDTH = 6


def loss_fn(params, x):
    return jnp.mean((jnp.tanh(x @ params["w"] + params["b"]) @ params["w"].T - x) ** 2)


gradient = jax.jit(jax.value_and_grad(loss_fn))


def load_or_start(path):
    """Process 0 reads its checkpoint, all others get the state from it."""
    state = fresh_state(WIDTH)
    if jax.process_index() == 0 and os.path.exists(path):
        state = read_state(path)
    return mhu.broadcast_one_to_all(state)


def momentum_step(state, grads):
    velocity = jax.tree.map(lambda m, g: 0.9 * m + g, state["momentum"], grads)
    params = jax.tree.map(lambda p, v: p - 0.05 * v, state["params"], velocity)
    average = jax.tree.map(lambda a, p: 0.98 * a + 0.02 * p, state.get("average", params), params)
    return {"params": params, "momentum": velocity, "average": average,
            "step": state["step"] + 1}


def train(state, x, steps):
    for _ in range(steps):
        loss, grads = gradient(state["params"], x)
        grads = jax.tree.map(lambda g: g.mean(axis=0), mhu.process_allgather(grads))
        state = momentum_step(state, grads)
    return state, mhu.process_allgather(loss).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--n", type=int, default=1)
    parser.add_argument("--port", type=int, default=12824)
    parser.add_argument("--steps", type=int, default=25)
    args = parser.parse_args()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{args.port}", args.n, args.id)

    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "state.pkl")
    x = np.random.default_rng(args.id).normal(size=(128, WIDTH)).astype(np.float32)
    for leg in range(2):
        state = load_or_start(path)
        state, loss = train(state, x, args.steps)
        if jax.process_index() == 0:
            write_state(path, state)
            print(f"leg {leg}: step {int(state['step'])}, loss {float(loss):.5f}", flush=True)
        mhu.sync_global_devices(f"leg {leg}")
    if jax.process_index() == 0:
        os.remove(path)
    os.rmdir(folder)


if __name__ == "__main__":
    main()
