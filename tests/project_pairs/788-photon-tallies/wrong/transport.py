"""Photon random walk in a homogeneous scattering slab."""
import numpy as np


def walk(n, thickness, albedo, bins, rng):
    """Energy deposited per depth bin plus (reflected, transmitted) weight."""
    tally = np.zeros(bins)
    escaped = np.zeros(2)
    z = np.zeros(n)
    mu = np.ones(n)
    weight = np.full(n, 1.0)
    while z.size:
        z = z + mu * rng.exponential(1.0, z.size)
        up, down = z < 0, z > thickness
        escaped += weight[up].sum(), weight[down].sum()
        inside = ~(up | down)
        z, weight = z[inside], weight[inside]
        cell = (z / thickness * bins).astype(int).clip(0, bins - 1)
        np.add.at(tally, cell, weight * (1 - albedo))
        weight = weight * albedo
        alive = weight > 1e-3
        np.add.at(tally, cell[~alive], weight[~alive])
        z, weight = z[alive], weight[alive]
        mu = rng.uniform(-1.0, 1.0, z.size)
    return tally, escaped


def share(total, rank, size):
    base, extra = divmod(total, size)
    return base + (rank < extra)
