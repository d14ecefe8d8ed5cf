"""Logistic population map."""
import numpy as np

from guard import tolerant


@tolerant(default=None)
def settle(rate, steps=400, keep=50):
    """Mean population after the transient; None if it dies out."""
    x = np.float64(0.3)
    tail = []
    with np.errstate(over="raise", invalid="raise"):
        for step in range(steps):
            x = rate * x * (1.0 - x)
            if step >= steps - keep:
                tail.append(x)
    mean = float(np.mean(tail))
    return mean if mean > 1e-6 else None
