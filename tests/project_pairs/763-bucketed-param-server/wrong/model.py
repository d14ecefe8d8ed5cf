"""Two-layer regression network on flat parameter vectors."""
import numpy as np


class MLP:
    def __init__(self, n_in, n_hidden, seed):
        rng = np.random.default_rng(seed)
        self.shapes = {"w1": (n_in, n_hidden), "w2": (n_hidden, n_hidden), "w3": (n_hidden, 1)}
        self.params = {
            k: (rng.normal(size=s) / np.sqrt(s[0])).astype(np.float32) for k, s in self.shapes.items()
        }

    @property
    def n_params(self):
        return sum(p.size for p in self.params.values())

    def flat(self):
        return np.concatenate([p.ravel() for p in self.params.values()])

    def load_flat(self, flat):
        start = 0
        for k, shape in self.shapes.items():
            n = int(np.prod(shape))
            self.params[k][...] = flat[start : start + n].reshape(shape)
            start += n

    def loss_and_grads(self, x, y):
        p = self.params
        h1 = np.tanh(x @ p["w1"])
        h2 = np.tanh(h1 @ p["w2"])
        err = (h2 @ p["w3"])[:, 0] - y
        d3 = (2.0 / len(y)) * err[:, None]
        d2 = (d3 @ p["w3"].T) * (1 - h2**2)
        d1 = (d2 @ p["w2"].T) * (1 - h1**2)
        grads = {"w1": x.T @ d1, "w2": h1.T @ d2, "w3": h2.T @ d3}
        return float(np.mean(err**2)), grads


def batches(cfg, worker):
    rng = np.random.default_rng([cfg.seed, worker])
    while True:
        x = rng.normal(size=(cfg.batch, cfg.inputs)).astype(np.float32)
        yield x, np.sin(x[:, 0]) + 0.5 * x[:, 1]
