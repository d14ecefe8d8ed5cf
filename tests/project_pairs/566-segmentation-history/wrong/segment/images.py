import numpy as np


def disks(rng, rows, side):
    """Noisy images of a disk, and the mask of the disk."""
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"))
    center = rng.uniform(side * 0.25, side * 0.75, size=(rows, 2, 1, 1))
    radius = rng.uniform(side * 0.15, side * 0.35, size=(rows, 1, 1))
    mask = ((grid[None] - center) ** 2).sum(axis=1) < radius ** 2
    image = mask + 0.4 * rng.normal(size=mask.shape)
    return image.astype(np.float32), mask.astype(np.float32)
