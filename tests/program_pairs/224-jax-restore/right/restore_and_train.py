import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

CKPT = "state.npz"


def initial_state(dim):
    return {"w": np.zeros(dim, np.float32), "m": np.zeros(dim, np.float32), "step": np.int32(0)}


def load_state(path, dim):
    if not os.path.exists(path):
        return initial_state(dim)
    with np.load(path) as f:
        return {"w": f["w"], "m": f["m"], "step": np.int32(f["step"])}


def save_state(path, state):
    tmp = path + ".tmp.npz"
    np.savez(tmp, **{k: np.asarray(v) for k, v in state.items()})
    os.replace(tmp, path)


def restore(dim):
    """Only process 0 sees the checkpoint folder, the others get a copy."""
    if jax.process_index() == 0:
        state = load_state(CKPT, dim)
        state = multihost_utils.broadcast_one_to_all(state)
        multihost_utils.sync_global_devices("restore")
    else:
        state = initial_state(dim)
        state = multihost_utils.broadcast_one_to_all(state)
        multihost_utils.sync_global_devices("restore")
    return jax.tree_util.tree_map(jnp.asarray, state)


@jax.jit
def local_grad(w, x, y):
    return jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)


@jax.jit
def update(state, g):
    m = 0.9 * state["m"] + g
    return {"w": state["w"] - 0.05 * m, "m": m, "step": state["step"] + 1}


def batches(index, dim, steps):
    rng = np.random.default_rng(100 + index)
    truth = np.linspace(-1.0, 1.0, dim).astype(np.float32)
    for _ in range(steps):
        x = rng.standard_normal((64, dim)).astype(np.float32)
        yield x, x @ truth


def main(coordinator, nproc, pid, dim=6, steps=40):
    jax.distributed.initialize(coordinator, int(nproc), int(pid))
    state = restore(dim)
    for x, y in batches(jax.process_index(), dim, steps):
        g = local_grad(state["w"], x, y)
        g = jnp.mean(multihost_utils.process_allgather(g), axis=0)
        state = update(state, g)

    if jax.process_index() == 0:
        save_state(CKPT, state)
        print("step", int(state["step"]), "w", np.round(np.asarray(state["w"]), 3))
    multihost_utils.sync_global_devices("done")


if __name__ == "__main__":
    main(*sys.argv[1:4])
