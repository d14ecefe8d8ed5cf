import numpy as np


def truth(x):
    return np.sin(3.0 * x[:, 0]) * np.exp(-x[:, 1] ** 2) + 0.5 * x[:, 1]


class SampleSource:
    """Noisy samples; the processes draw different points."""

    def __init__(self, context, noise=0.02):
        self.context = context
        self.noise = noise

    def draw(self, rows):
        ctx = self.context
        x = ctx.rng.uniform(-1.0, 1.0, (rows // ctx.size, 2))
        y = truth(x) + self.noise * ctx.rng.normal(size=len(x))
        return ctx.distribute(x), ctx.distribute(y)
