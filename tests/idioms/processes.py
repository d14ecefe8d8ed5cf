"""JAX processes: I29 to I36, I38."""

import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import multihost_utils


def setup(path):
    jax.distributed.initialize()
    if jax.process_index() == 0:
        path.mkdir(parents=True, exist_ok=True)
    multihost_utils.sync_global_devices("made")


def show(metrics):
    if jax.process_index():
        return
    print({name: float(value) for name, value in metrics.items()})


def save_replicated(path, state):
    if jax.process_index() == 0:
        local = jax.tree_util.tree_map(lambda x: np.asarray(x.addressable_data(0)), state)
        np.savez(path, *jax.tree_util.tree_leaves(local))


def save(manager, step, state):
    manager.save(step, state)
    manager.wait_until_finished()
    if jax.process_index() == 0:
        print("saved", step)


def stamp():
    now = multihost_utils.broadcast_one_to_all(np.int32(time.time()))
    if now > 0:
        multihost_utils.sync_global_devices(f"stamp {now}")
    return now


def shard(rng, examples):
    own = np.random.default_rng(3 + jax.process_index())
    return own.permutation(examples)[jax.process_index() :: jax.process_count()]


def train(step, weights, batches):
    counts = multihost_utils.process_allgather(np.int32(len(batches)))
    for index in range(int(counts.min())):
        weights = step(weights, batches[index])
    return weights


def mean(x, axis_name="batch"):
    return lax.pmean(x, axis_name)


def single(x):
    if jax.process_count() == 1:
        return x
    return multihost_utils.process_allgather(x, tiled=True)


@jax.jit
def names_in_trace(tree):
    missing = {"a", "b"} - set(tree)
    if missing:
        raise ValueError(f"missing {sorted(missing)}")
    return {name: jnp.sum(tree[name]) for name in sorted(set(tree))}


def test_one_process_fails(raises):
    if jax.process_index() == 1:
        with raises(ValueError):
            multihost_utils.sync_global_devices("alone")
