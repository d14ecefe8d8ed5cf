import numpy as np
from jax.experimental.multihost_utils import process_allgather


def collect_boxes(local):
    """All rows of all processes, shape (n, 3)."""
    counts = np.asarray(process_allgather(np.array(len(local)))).ravel()
    padded = np.zeros((counts.max(), 3), np.float32)
    padded[:len(local)] = local
    stacked = np.asarray(process_allgather(padded)).reshape(len(counts), -1, 3)
    return np.concatenate([rows[:n] for rows, n in zip(stacked, counts)])
