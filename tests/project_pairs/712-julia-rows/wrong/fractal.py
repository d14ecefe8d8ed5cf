"""Escape times of a Julia set."""
import numpy as np


def escape_rows(first, count, height, width, c, limit):
    y = np.linspace(-1.2, 1.2, height)[first : first + count]
    x = np.linspace(-1.6, 1.6, width)
    z = x[None, :] + 1j * y[:, None]
    out = np.zeros(z.shape, dtype=np.int32)
    live = np.ones(z.shape, dtype=bool)
    for _ in range(limit):
        z[live] = z[live] ** 2 + c
        live &= np.abs(z) <= 2.0
        out[live] += 1
    return out
