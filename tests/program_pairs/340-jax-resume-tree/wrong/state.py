"""Training state as a dictionary, in memory and on disk."""
import os
import pickle

import jax
import numpy as np


def fresh_state(width, seed=0):
    rng = np.random.default_rng(seed)
    params = {"w": rng.normal(0, 0.1, (width, width)).astype(np.float32),
              "b": np.zeros(width, np.float32)}
    return {"params": params, "momentum": jax.tree.map(np.zeros_like, params),
            "step": np.int32(0)}


def read_state(path):
    with open(path, "rb") as f:
        return pickle.load(f)


def write_state(path, state):
    with open(path + ".tmp", "wb") as f:
        pickle.dump(jax.tree.map(np.asarray, state), f)
    os.replace(path + ".tmp", path)
