import numpy as np


class Network:
    """Fully connected net with tanh units and a linear output layer."""

    def __init__(self, widths, rng):
        self.weights = []
        self.biases = []
        for a, b in zip(widths[:-1], widths[1:]):
            self.weights.append(rng.normal(0.0, 1.0 / np.sqrt(a), size=(a, b)))
            self.biases.append(np.zeros(b))

    def forward(self, x):
        acts = [x]
        for k, (w, b) in enumerate(zip(self.weights, self.biases)):
            z = acts[-1] @ w + b
            acts.append(z if k == len(self.weights) - 1 else np.tanh(z))
        return acts

    def loss_and_grads(self, x, y):
        acts = self.forward(x)
        diff = acts[-1] - y
        loss = float((diff ** 2).mean())
        delta = 2.0 * diff / len(x)
        gw, gb = [], []
        for k in range(len(self.weights) - 1, -1, -1):
            gw.insert(0, acts[k].T @ delta)
            gb.insert(0, delta.sum(axis=0))
            if k:
                delta = (delta @ self.weights[k].T) * (1.0 - acts[k] ** 2)
        return loss, gw, gb

    def apply(self, grads_w, grads_b, lr):
        for w, g in zip(self.weights, grads_w):
            w -= lr * g
        for b, g in zip(self.biases, grads_b):
            b -= lr * g

    def fingerprint(self):
        return float(sum(np.abs(p).sum() for p in self.weights + self.biases))
