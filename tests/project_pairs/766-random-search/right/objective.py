import numpy as np


class DivergedError(RuntimeError):
    pass


def registry():
    objectives = {}

    def register(fn):
        objectives[fn.__name__] = fn
        return fn

    return objectives, register


OBJECTIVES, objective = registry()


@objective
def logistic(params, seed=0, n=1024, d=20, steps=150):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)) * np.linspace(0.2, 3.0, d)
    w_true = rng.normal(size=d)
    y = (x @ w_true + rng.normal(size=n) > 0).astype(float)
    w, v = np.zeros(d), np.zeros(d)
    for _ in range(steps):
        i = rng.integers(0, n, size=params["batch"])
        p = 1.0 / (1.0 + np.exp(-np.clip(x[i] @ w, -30, 30)))
        v = params["momentum"] * v + x[i].T @ (p - y[i]) / len(i) + params["l2"] * w
        w = w - params["lr"] * v
    z = x @ w
    return float(np.mean(np.logaddexp(0.0, z) - y * z))


@objective
def least_squares(params, seed=0, n=512, d=10, steps=100):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    y = x @ rng.normal(size=d)
    w, v = np.zeros(d), np.zeros(d)
    for step in range(steps):
        i = rng.integers(0, n, size=params["batch"])
        err = x[i] @ w - y[i]
        v = params["momentum"] * v + x[i].T @ err / len(i) + params["l2"] * w
        w = w - params["lr"] * v
        if not np.all(np.abs(w) < 1e6):
            raise DivergedError(f"weights exploded at step {step}")
    return float(np.mean((x @ w - y) ** 2))
