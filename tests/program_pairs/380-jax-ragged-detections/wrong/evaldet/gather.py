import numpy as np
from jax.experimental.multihost_utils import process_allgather


def collect_boxes(local):
    """All rows of all processes, shape (n, 3)."""
    return np.asarray(process_allgather(local)).reshape(-1, 3)
