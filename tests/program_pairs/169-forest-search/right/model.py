"""A small bagged regression forest, enough for a search over its settings."""
import numpy as np


def data(seed=0, n=400):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (n, 4))
    y = np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] ** 2 - x[:, 2] * (x[:, 3] > 0)
    return x, y + 0.2 * rng.normal(size=n)


class Tree:
    def __init__(self, depth, rng):
        self.depth, self.rng = depth, rng

    def fit(self, x, y, level=0):
        self.value = y.mean()
        self.children = None
        if level == self.depth or len(y) < 8:
            return self
        best = np.inf
        for f in self.rng.permutation(x.shape[1])[:3]:
            for cut in np.quantile(x[:, f], np.linspace(0.1, 0.9, 9)):
                left = x[:, f] <= cut
                if 3 < left.sum() < len(y) - 3:
                    score = y[left].var() * left.sum() + y[~left].var() * (~left).sum()
                    if score < best:
                        best, self.feature, self.cut = score, f, cut
        if np.isfinite(best):
            left = x[:, self.feature] <= self.cut
            self.children = (Tree(self.depth, self.rng).fit(x[left], y[left], level + 1),
                             Tree(self.depth, self.rng).fit(x[~left], y[~left], level + 1))
        return self

    def predict(self, x):
        out = np.full(len(x), self.value)
        if self.children:
            left = x[:, self.feature] <= self.cut
            out[left] = self.children[0].predict(x[left])
            out[~left] = self.children[1].predict(x[~left])
        return out


def evaluate(depth, trees):
    x, y = data()
    xv, yv = data(seed=1, n=300)
    rng = np.random.default_rng(10 * depth + trees)
    total = np.zeros(len(yv))
    for _ in range(trees):
        pick = rng.integers(0, len(y), len(y))
        total += Tree(depth, rng).fit(x[pick], y[pick]).predict(xv)
    return float(np.mean((total / trees - yv) ** 2))
