"""Adaptive Simpson panels."""
from functools import lru_cache
from math import cos, exp, sin

from messages import Done, TooCoarse

FUNCTIONS = (lambda x: exp(-x * x), lambda x: sin(30.0 * x) / (1.0 + x),
             lambda x: cos(x) ** 3, lambda x: 1.0 / (0.01 + (x - 0.4) ** 2))


@lru_cache(maxsize=4096)
def evaluate(key, x):
    return FUNCTIONS[key](x)


def simpson(key, a, b):
    return (b - a) / 6.0 * (evaluate(key, a) + 4.0 * evaluate(key, 0.5 * (a + b)) + evaluate(key, b))


def attempt(job, tolerance=1e-9):
    whole = simpson(job.key, job.a, job.b)
    parts = sum(simpson(h.key, h.a, h.b) for h in job.halves())
    if abs(parts - whole) > 15.0 * tolerance * (job.b - job.a) and job.depth < 30:
        return TooCoarse(job)
    return Done(job, parts + (parts - whole) / 15.0)
