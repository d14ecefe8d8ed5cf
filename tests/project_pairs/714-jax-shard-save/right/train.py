"""Averaged SGD for logistic regression over several JAX processes."""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

from saving import ShardedSaver

STEPS, SAVE_EVERY, BATCH, FEATURES = 12, 6, 64, 5


def local_batch(step, process):
    rng = np.random.default_rng([11, step, process])
    x = rng.standard_normal((BATCH, FEATURES)).astype(np.float32)
    w = np.arange(FEATURES, dtype=np.float32) - 2
    return x, (x @ w > 0).astype(np.float32)


def loss_fn(w, x, y):
    logits = x @ w
    return jnp.mean(jnp.logaddexp(0.0, logits) - y * logits)


grad_fn = jax.jit(jax.value_and_grad(loss_fn))


def mean_over_processes(value):
    return np.asarray(multihost_utils.process_allgather(value)).reshape((-1,) + np.shape(value)).mean(axis=0)


def main():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR"],
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
    )
    me = jax.process_index()
    saver = ShardedSaver(os.environ.get("CKPT_DIR", "ckpt"))

    w = jnp.zeros(FEATURES)
    moment = np.zeros(FEATURES, dtype=np.float32)
    for step in range(1, STEPS + 1):
        x, y = local_batch(step, me)
        loss, grad = grad_fn(w, x, y)
        moment = 0.9 * moment + 0.1 * np.asarray(grad) ** 2
        w = w - 1.0 * mean_over_processes(grad)
        loss = float(mean_over_processes(loss))
        if me == 0:
            print(f"step {step:3d} loss {loss:.4f}", flush=True)
        if step % SAVE_EVERY == 0:
            saver.save(step, {"w": np.asarray(w), "moment": moment})
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
