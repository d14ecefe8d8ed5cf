"""Adam on a quadratic-bowl regression with checkpoint / resume.

Checkpoints live on the local disk of process 0 only, so after a restart the
state is sent from there to the other processes.

    python resume_train.py HOST:PORT N_PROCESSES PROCESS_ID [TOTAL_STEPS]
"""
import os
import pickle
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils as mhu
from jax.sharding import Mesh, NamedSharding, PartitionSpec

CKPT = os.environ.get("CKPT_FILE", "state.pkl")
SAVE_EVERY = 50
DIM = 32
B1, B2, EPS, LR = 0.9, 0.999, 1e-8, 3e-3


def fresh_state():
    key = jax.random.PRNGKey(42)
    params = {
        "w": np.asarray(jax.random.normal(key, (DIM, DIM)) / np.sqrt(DIM)),
        "b": np.zeros((DIM,), np.float32),
    }
    zeros = jax.tree.map(np.zeros_like, params)
    return {"params": params, "m": zeros, "v": jax.tree.map(np.copy, zeros)}


def save_state(step, state):
    """Process 0 only."""
    with open(CKPT + ".part", "wb") as f:
        pickle.dump({"step": step, "state": jax.tree.map(np.asarray, state)}, f)
    os.replace(CKPT + ".part", CKPT)


def restore_or_init():
    state, step = fresh_state(), 0
    if jax.process_index() == 0 and os.path.exists(CKPT):
        with open(CKPT, "rb") as f:
            saved = pickle.load(f)
        state, step = saved["state"], saved["step"]
        print(f"restored step {step} from {CKPT}")
    state = mhu.broadcast_one_to_all(state)
    return state, step


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def adam_step(state, t, x, y):
    loss, g = jax.value_and_grad(loss_fn)(state["params"], x, y)
    m = jax.tree.map(lambda a, b: B1 * a + (1 - B1) * b, state["m"], g)
    v = jax.tree.map(lambda a, b: B2 * a + (1 - B2) * b * b, state["v"], g)
    scale = LR * jnp.sqrt(1 - B2**t) / (1 - B1**t)
    params = jax.tree.map(
        lambda p, a, b: p - scale * a / (jnp.sqrt(b) + EPS), state["params"], m, v
    )
    return {"params": params, "m": m, "v": v}, loss


def local_batch(step, n=32):
    rng = np.random.default_rng([step, jax.process_index()])
    x = rng.normal(size=(n, DIM)).astype(np.float32)
    return x, np.roll(x, 1, axis=1) + 0.5


def main():
    address, n_proc, proc = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    total = int(sys.argv[4]) if len(sys.argv) > 4 else 120
    jax.distributed.initialize(address, num_processes=n_proc, process_id=proc)

    mesh = Mesh(np.asarray(jax.devices()), ("data",))
    everywhere = NamedSharding(mesh, PartitionSpec())
    by_rows = NamedSharding(mesh, PartitionSpec("data"))

    state, first = restore_or_init()
    state = jax.device_put(jax.tree.map(np.asarray, state), everywhere)

    for step in range(first, total):
        x, y = local_batch(step)
        x = jax.make_array_from_process_local_data(by_rows, x)
        y = jax.make_array_from_process_local_data(by_rows, y)
        state, loss = adam_step(state, float(step + 1), x, y)
        done = step + 1
        if proc == 0 and done % SAVE_EVERY == 0:
            save_state(done, state)
            print(f"step {done}: loss {float(loss):.5f} (saved)", flush=True)

    mhu.sync_global_devices("end of training")
    if proc == 0 and first < total:
        print(f"finished at step {total} with loss {float(loss):.5f}")


if __name__ == "__main__":
    main()
