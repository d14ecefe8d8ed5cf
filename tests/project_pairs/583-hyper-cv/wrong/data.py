import numpy as np


def sensors(rows=480, features=14, seed=6):
    """A regression set whose later rows are noisier than the first."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    weights = np.zeros(features)
    weights[:4] = [1.5, -2.0, 0.7, 0.4]
    noise = 0.3 + 4.0 * (np.arange(rows) / rows) ** 2
    return x, x @ weights + noise * rng.standard_normal(rows)


class Folds:
    """Contiguous folds, so that the validation is honest in time."""

    def __init__(self, rows, count):
        self.edges = np.linspace(0, rows, count + 1).astype(int)
        self.count = count

    def split(self, fold):
        valid = np.arange(self.edges[fold], self.edges[fold + 1])
        train = np.setdiff1d(np.arange(self.edges[-1]), valid)
        return train, valid
