import numpy as np


class FivePoint:
    """Discrete Laplacian; calling it applies the operator to a field."""

    def __init__(self, exchange):
        self.exchange = exchange

    def __call__(self, field):
        self.exchange(field)
        d = field.data
        return (d[:-2, 1:-1] + d[2:, 1:-1] + d[1:-1, :-2] + d[1:-1, 2:]
                - 4.0 * d[1:-1, 1:-1])


class ForwardEuler:
    def __init__(self, operator, dt):
        self.operator = operator
        self.dt = dt

    def advance(self, field, steps):
        for _ in range(steps):
            field.interior[...] += self.dt * self.operator(field)


def exact_decay(shape, modes, dt, steps):
    """Growth factor of the product sine mode under forward Euler."""
    lam = sum(-4.0 * np.sin(0.5 * np.pi * m / (n + 1)) ** 2 for m, n in zip(modes, shape))
    return (1.0 + dt * lam) ** steps
