"""Plain npz checkpoints of a pytree of (possibly sharded) arrays."""
import json
import os
import pathlib

import jax
import numpy as np
from jax.experimental import multihost_utils


def _flatten(tree):
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {jax.tree_util.keystr(path): leaf for path, leaf in leaves}


def _to_host(leaf):
    if leaf.is_fully_replicated:
        return np.asarray(leaf.addressable_data(0))
    return multihost_utils.process_allgather(leaf, tiled=True)


def save(directory, step, state):
    """Write ``state`` to ``directory/step_N.npz``; only the first process writes."""
    directory = pathlib.Path(directory)
    arrays = {name: _to_host(leaf) for name, leaf in _flatten(state).items()}
    if jax.process_index() == 0:
        directory.mkdir(parents=True, exist_ok=True)
        target = directory / f"step_{step}.npz"
        tmp = target.with_suffix(".tmp.npz")
        np.savez(tmp, **arrays)
        os.replace(tmp, target)
        with open(directory / "latest.json", "w") as f:
            json.dump({"step": step, "file": target.name}, f)
    multihost_utils.sync_global_devices(f"checkpoint {step}")


def describe(state):
    rows = []
    for name, leaf in _flatten(state).items():
        rows.append(f"  {name:24s} {str(leaf.shape):14s} {leaf.sharding.spec}")
    return "\n".join(rows)
