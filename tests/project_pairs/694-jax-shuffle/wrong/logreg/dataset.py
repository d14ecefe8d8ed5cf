from dataclasses import dataclass

import numpy as np


@dataclass
class Dataset:
    x: np.ndarray
    y: np.ndarray

    def __len__(self):
        return len(self.y)


def make_blobs(opts):
    """Two overlapping clouds; identical on all processes."""
    rng = np.random.default_rng(opts.seed)
    y = (np.arange(opts.samples) % 2).astype(np.float32)
    centre = rng.normal(size=opts.features)
    x = rng.normal(size=(opts.samples, opts.features)) + np.outer(2 * y - 1, centre) * 0.5
    return Dataset(x.astype(np.float32), y)
