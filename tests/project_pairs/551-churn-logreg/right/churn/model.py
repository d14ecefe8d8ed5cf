import numpy as np


class LogisticModel:
    def __init__(self, features, l2=0.0):
        self.w = np.zeros(features + 1)
        self.l2 = l2

    def _logits(self, x):
        return x @ self.w[:-1] + self.w[-1]

    def predict(self, x):
        return (self._logits(x) > 0).astype(float)

    def loss_and_grad(self, x, y):
        z = self._logits(x)
        loss = np.mean(np.logaddexp(0.0, z) - y * z)
        err = 1.0 / (1.0 + np.exp(-z)) - y
        grad = np.empty_like(self.w)
        grad[:-1] = x.T @ err / len(y) + self.l2 * self.w[:-1]
        grad[-1] = err.mean()
        return float(loss), grad

    def step(self, grad, lr):
        self.w -= lr * grad
