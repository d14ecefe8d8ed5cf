"""Steady yield of a stirred tank reactor with a side reaction."""
import math


def yield_of(temperature, residence):
    k1 = 5.0e5 * math.exp(-6000.0 / temperature)
    k2 = 8.0e8 * math.exp(-9200.0 / temperature)
    a, b = 1.0, 0.0
    dt = residence / 400
    for _ in range(4000):
        da = (1.0 - a) / residence - k1 * a
        db = -b / residence + k1 * a - k2 * b
        a += dt * da
        b += dt * db
    return b
