import numpy as np


class TinyNet:
    """One hidden layer, parameters kept in a single flat vector."""

    def __init__(self, n_in, n_hidden, seed):
        self.shapes = [(n_in, n_hidden), (n_hidden,), (n_hidden, 1), (1,)]
        rng = np.random.default_rng(seed)
        sizes = [int(np.prod(s)) for s in self.shapes]
        self.theta = 0.5 * rng.normal(size=sum(sizes))
        self.cuts = np.cumsum(sizes)[:-1]

    def parts(self):
        pieces = np.split(self.theta, self.cuts)
        return [p.reshape(s) for p, s in zip(pieces, self.shapes)]

    def predict(self, x):
        w1, b1, w2, b2 = self.parts()
        return (np.tanh(x @ w1 + b1) @ w2 + b2)[:, 0]

    def gradient(self, x, y):
        """Gradient of the summed squared error."""
        w1, b1, w2, b2 = self.parts()
        h = np.tanh(x @ w1 + b1)
        err = 2.0 * ((h @ w2 + b2)[:, 0] - y)[:, None]
        dh = (err @ w2.T) * (1.0 - h ** 2)
        return np.concatenate([(x.T @ dh).ravel(), dh.sum(axis=0),
                               (h.T @ err).ravel(), err.sum(axis=0)])
