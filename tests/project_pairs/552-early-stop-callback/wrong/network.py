import numpy as np


class MLP:
    """One hidden layer, tanh, squared loss."""

    def __init__(self, inputs, hidden, seed=0):
        rng = np.random.default_rng(seed)
        self.params = {
            "w1": rng.normal(size=(inputs, hidden)) / np.sqrt(inputs),
            "b1": np.zeros(hidden),
            "w2": rng.normal(size=(hidden, 1)) / np.sqrt(hidden),
            "b2": np.zeros(1),
        }

    def forward(self, x):
        p = self.params
        h = np.tanh(x @ p["w1"] + p["b1"])
        return h, h @ p["w2"] + p["b2"]

    def loss(self, x, y):
        _, out = self.forward(x)
        return float(np.mean((out - y) ** 2))

    def grads(self, x, y):
        p = self.params
        h, out = self.forward(x)
        d = 2.0 * (out - y) / len(x)
        dh = (d @ p["w2"].T) * (1.0 - h * h)
        return {
            "w1": x.T @ dh,
            "b1": dh.sum(axis=0),
            "w2": h.T @ d,
            "b2": d.sum(axis=0),
        }
