import numpy as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


class MLP:
    def __init__(self, n_in, n_hidden, n_out, rng):
        self.params = [
            rng.normal(size=(n_in, n_hidden)) * 2.0,
            np.zeros(n_hidden),
            rng.normal(size=(n_hidden, n_out)),
            np.zeros(n_out),
        ]

    def forward(self, x):
        w1, b1, w2, b2 = self.params
        self.h = np.tanh(x @ w1 + b1)
        return sigmoid(self.h @ w2 + b2)

    def loss_and_grads(self, x, y):
        out = self.forward(x)
        eps = 1e-9
        loss = -np.mean(y * np.log(out + eps) + (1 - y) * np.log(1 - out + eps))
        d = (out - y) / len(y)
        w2 = self.params[2]
        dh = (d @ w2.T) * (1 - self.h ** 2)
        return loss, [x.T @ dh, dh.sum(0), self.h.T @ d, d.sum(0)]
