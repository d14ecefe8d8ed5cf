"""Mesh of k-points with weights."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class KPoint:
    index: int
    k: tuple
    weight: float


def half_mesh(n):
    """Square mesh; points related by inversion are taken together."""
    axis = 2 * np.pi * (np.arange(n) - (n - 1) / 2) / n
    points = [(kx, ky) for kx in axis for ky in axis if kx > 0]
    weight = 1.0 / len(points)
    return [KPoint(i, point, weight) for i, point in enumerate(points)]


def of_pool(points, pool_id, n_pools):
    return points[pool_id::n_pools]
