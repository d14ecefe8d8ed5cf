"""Mean of a tree of arrays over the processes."""
from __future__ import annotations

from typing import TypeVar

import jax
import numpy as np
from jax.experimental import multihost_utils

Tree = TypeVar("Tree")


def connect(coordinator: str, processes: int, index: int) -> None:
    if processes > 1:
        jax.distributed.initialize(coordinator, processes, index)


def disconnect(processes: int) -> None:
    if processes > 1:
        jax.distributed.shutdown()


def process_mean(tree: Tree) -> Tree:
    if jax.process_count() == 1:
        return tree
    stacked = multihost_utils.process_allgather(tree)
    return jax.tree.map(lambda leaf: np.asarray(leaf).mean(axis=0), stacked)


def norms(value: float) -> list[float]:
    return np.atleast_1d(multihost_utils.process_allgather(np.float32(value))).tolist()
