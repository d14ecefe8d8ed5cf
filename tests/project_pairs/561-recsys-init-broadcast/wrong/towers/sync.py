import jax
import numpy as np
from jax.experimental import multihost_utils


def share(tree):
    """The values that process 0 has."""
    if jax.process_count() == 1:
        return tree
    return multihost_utils.broadcast_one_to_all(tree)


class GradientMean:
    def __call__(self, tree):
        stacked = multihost_utils.process_allgather(tree)
        return jax.tree.map(lambda v: np.mean(v, axis=0), stacked)


def fingerprints(tree):
    norm = np.sqrt(sum(float((np.asarray(v) ** 2).sum()) for v in jax.tree.leaves(tree)))
    return multihost_utils.process_allgather(np.float32(norm))
