"""Monte Carlo transport of photons through a plane-parallel slab."""
import numpy as np


def henyey_greenstein(rng, g, n):
    u = rng.random(n)
    if abs(g) < 1e-6:
        return 2 * u - 1
    s = (1 - g * g) / (1 - g + 2 * g * u)
    return (1 + g * g - s * s) / (2 * g)


def trace(rng, deck, n):
    """Return the numbers of photons transmitted, reflected and absorbed."""
    tau = np.zeros(n)
    mu = np.ones(n)
    out = np.zeros(3, dtype=np.int64)
    while len(tau):
        tau = tau + mu * rng.exponential(size=len(tau))
        through = tau > deck.optical_depth
        back = tau < 0
        out[0] += through.sum()
        out[1] += back.sum()
        inside = ~(through | back)
        tau, mu = tau[inside], mu[inside]
        alive = rng.random(len(tau)) < deck.albedo
        out[2] += (~alive).sum()
        tau, mu = tau[alive], mu[alive]
        cos_t = henyey_greenstein(rng, deck.anisotropy, len(tau))
        phi = 2 * np.pi * rng.random(len(tau))
        sin2 = np.clip((1 - mu**2) * (1 - cos_t**2), 0, None)
        mu = np.clip(mu * cos_t + np.sqrt(sin2) * np.cos(phi), -1, 1)
    return out
