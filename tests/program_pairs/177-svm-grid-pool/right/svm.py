"""Linear support vector machine by stochastic subgradient descent (Pegasos)."""
import numpy as np


def make_data(n=600, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 10))
    w = np.linspace(-1, 1, 10)
    y = np.where(x @ w + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    return np.hstack([x, np.ones((n, 1))]), y


def pegasos(x, y, lam, epochs, seed):
    rng = np.random.default_rng(seed)
    w = np.zeros(x.shape[1])
    t = 0
    for _ in range(epochs):
        for i in rng.permutation(len(y)):
            t += 1
            eta = 1.0 / (lam * t)
            margin = y[i] * (x[i] @ w)
            w *= 1.0 - eta * lam
            if margin < 1.0:
                w += eta * y[i] * x[i]
    return w


def cross_validate(setting):
    lam, epochs = setting
    x, y = make_data()
    folds = np.arange(len(y)) % 5
    hits = 0
    for k in range(5):
        w = pegasos(x[folds != k], y[folds != k], lam, epochs, seed=k)
        hits += int((np.sign(x[folds == k] @ w) == y[folds == k]).sum())
    return hits / len(y)
