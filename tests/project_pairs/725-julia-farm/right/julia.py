"""Escape times of a Julia set, computed in horizontal bands."""
import numpy as np

CENTRE = -0.8 + 0.156j


def bands(height, thickness):
    return [(top, min(top + thickness, height)) for top in range(0, height, thickness)]


def escape(band, width, height, limit=40):
    top, bottom = band
    re = np.linspace(-1.6, 1.6, width)
    im = np.linspace(-1.0, 1.0, height)[top:bottom]
    z = re[None, :] + 1j * im[:, None]
    times = np.zeros(z.shape, dtype=np.int32)
    alive = np.ones(z.shape, dtype=bool)
    for _ in range(limit):
        z[alive] = z[alive] ** 2 + CENTRE
        alive &= np.abs(z) < 2.0
        times[alive] += 1
    return times
