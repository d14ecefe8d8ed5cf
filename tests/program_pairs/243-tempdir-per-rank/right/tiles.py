import numpy as np


def split(n, parts):
    cuts = [n * p // parts for p in range(parts + 1)]
    return [range(a, b) for a, b in zip(cuts, cuts[1:])]


def blur(image, rows):
    """Three-point mean along the columns for the given rows."""
    padded = np.pad(image, ((1, 1), (0, 0)), mode="edge")
    return np.array([padded[r:r + 3].mean(axis=0) for r in rows])
