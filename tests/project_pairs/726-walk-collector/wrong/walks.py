"""Random walks on a square lattice which prefer fresh ground."""
import random

import numpy as np

MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def length_of(job):
    return 400 + 4500 * (job % 3)


def walk(job):
    rng = random.Random(77 + job)
    x = y = 0
    visited = {(0, 0)}
    path = np.zeros((length_of(job) + 1, 2), dtype=np.int32)
    for step in range(1, len(path)):
        fresh = [m for m in MOVES if (x + m[0], y + m[1]) not in visited]
        dx, dy = rng.choice(fresh or MOVES)
        x, y = x + dx, y + dy
        visited.add((x, y))
        path[step] = x, y
    return path


def spread(path):
    end = path[-1] - path[0]
    return float((end ** 2).sum()) / (len(path) - 1)
