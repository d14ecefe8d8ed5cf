"""Contiguous shares of columns of about the same cost."""
import numpy as np


def even_bounds(n, parts):
    return np.array([n * p // parts for p in range(parts + 1)])


def balanced_bounds(costs, parts):
    """Bounds such that every part gets about the same sum of costs."""
    cumulative = np.concatenate([[0.0], np.cumsum(costs)])
    targets = cumulative[-1] * np.arange(1, parts) / parts
    inner = np.searchsorted(cumulative, targets)
    return np.concatenate([[0], inner, [len(costs)]])


def overlap(a, b):
    """Common part of two half-open ranges, or None."""
    lo, hi = max(a[0], b[0]), min(a[1], b[1])
    return (int(lo), int(hi)) if lo < hi else None
