"""Reflectances of one tile, the cloud filter, and the index."""
import numpy as np


def read_tile(options, row, col):
    rng = np.random.default_rng([options.seed, row, col])
    n = options.tile
    y, x = np.mgrid[0:n, 0:n] / n
    green = 0.5 + 0.4 * np.sin(3 * (x + col)) * np.cos(2 * (y + row))
    red = 0.30 - 0.22 * green + rng.normal(scale=0.01, size=(n, n))
    nir = 0.20 + 0.35 * green + rng.normal(scale=0.01, size=(n, n))
    cloud = rng.random((n, n)) < 0.002 * (1 + row)
    return np.clip(red, 0.01, None), np.clip(nir, 0.01, None), cloud


def grow_mask(cloud, steps):
    """Widen the cloud mask pixel by pixel."""
    mask = cloud.copy()
    for _ in range(steps):
        wide = mask.copy()
        wide[1:] |= mask[:-1]
        wide[:-1] |= mask[1:]
        wide[:, 1:] |= mask[:, :-1]
        wide[:, :-1] |= mask[:, 1:]
        mask = wide
    return mask


def smooth_index(red, nir, mask, passes):
    index = (nir - red) / (nir + red)
    weight = (~mask).astype(float)
    for _ in range(passes):
        num, den = index * weight, weight.copy()
        for axis in (0, 1):
            for shift in (-1, 1):
                num = num + np.roll(index * weight, shift, axis)
                den = den + np.roll(weight, shift, axis)
        index = np.where(den > 0, num / np.maximum(den, 1.0), index)
    return np.where(mask, np.nan, index)
