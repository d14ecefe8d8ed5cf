"""Pretrained encoders; the weights lie on the disk of the first process only."""
import jax
import numpy as np
from jax.experimental import multihost_utils

SHAPES = {"proj": (12, 32), "bias": (32,), "head": (32, 4)}


def blank():
    return {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}


def write_demo_weights(path, seed):
    rng = np.random.default_rng(seed)
    np.savez(path, **{k: (rng.normal(size=s) / np.sqrt(s[0])).astype(np.float32) for k, s in SHAPES.items()})


def read_weights(path):
    with np.load(path) as archive:
        weights = {name: archive[name] for name in archive.files}
    for name, shape in SHAPES.items():
        if weights[name].shape != shape:
            raise ValueError(f"{path}: {name} is {weights[name].shape}, expected {shape}")
    return weights


def load_everywhere(path):
    weights = read_weights(path) if jax.process_index() == 0 else blank()
    weights = multihost_utils.broadcast_one_to_all(weights)
    return weights
