"""Synthetic shot gathers."""
import numpy as np


def ricker(freq, dt, n):
    t = (np.arange(n) - n // 2) * dt
    a = (np.pi * freq * t) ** 2
    return (1.0 - 2.0 * a) * np.exp(-a)


def shot_gather(shots, receivers, samples, dt, seed):
    rng = np.random.default_rng(seed)
    wavelet = ricker(25.0, dt, 64)
    data = 0.05 * rng.standard_normal((shots, receivers, samples))
    for s in range(shots):
        for r in range(receivers):
            offset = abs(r - receivers * s / shots) * 12.5
            delay = np.sqrt(0.12 ** 2 + (offset / 2000.0) ** 2)
            start = int(delay / dt)
            stop = min(start + wavelet.size, samples)
            data[s, r, start:stop] += wavelet[: stop - start]
    return data
