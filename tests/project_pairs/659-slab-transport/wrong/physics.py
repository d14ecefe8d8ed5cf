"""Mono-energetic neutrons in a layered slab, analogue Monte Carlo."""
import numpy as np

EDGES = np.array([0.0, 2.0, 3.0, 6.0])
SIGMA_T = np.array([1.0, 2.5, 0.8])
C = np.array([0.6, 0.2, 0.9])


def batch(n, rng):
    """Follow n neutrons; returns (absorbed, reflected, transmitted, collisions)."""
    x = np.zeros(n)
    mu = np.sqrt(rng.random(n))
    absorbed = reflected = transmitted = collisions = 0
    while x.size:
        tau = rng.exponential(size=x.size)
        x, out_left, out_right = fly(x, mu, tau)
        reflected += int(out_left.sum())
        transmitted += int(out_right.sum())
        x = x[~(out_left | out_right)]
        collisions += x.size
        layer = np.searchsorted(EDGES, x, side="right") - 1
        alive = rng.random(x.size) < C[layer]
        absorbed += int((~alive).sum())
        x = x[alive]
        mu = rng.uniform(-1, 1, x.size)
    return np.array([absorbed, reflected, transmitted, collisions], dtype=np.int64)


def fly(x, mu, tau):
    """Move by tau mean free paths through the layers."""
    x, tau = x.copy(), tau.copy()
    active = np.ones(x.size, bool)
    for _ in range(2 * len(SIGMA_T)):
        right = mu > 0
        layer = np.where(right, np.searchsorted(EDGES, x, side="right") - 1,
                         np.searchsorted(EDGES, x, side="left") - 1)
        active &= (layer >= 0) & (layer < len(SIGMA_T))
        lay = np.clip(layer, 0, len(SIGMA_T) - 1)
        face = np.where(right, EDGES[lay + 1], EDGES[lay])
        opt = np.abs(face - x) / np.maximum(np.abs(mu), 1e-12) * SIGMA_T[lay]
        stop = active & (tau < opt)
        cross = active & ~stop
        x[stop] += (mu * tau / SIGMA_T[lay])[stop]
        x[cross] = face[cross]
        tau[cross] -= opt[cross]
        active &= ~stop
    return x, (mu <= 0) & (x <= EDGES[0]), (mu > 0) & (x >= EDGES[-1])
