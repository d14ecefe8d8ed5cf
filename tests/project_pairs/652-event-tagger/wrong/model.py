import numpy as np


class LogisticTagger:
    def __init__(self, n_features: int) -> None:
        self.theta = np.zeros(n_features + 1)

    def logits(self, x):
        return x @ self.theta[:-1] + self.theta[-1]

    def loss_and_grad(self, x, y):
        z = self.logits(x)
        p = 1.0 / (1.0 + np.exp(-z))
        loss = float(np.mean(np.logaddexp(0, z) - y * z))
        err = (p - y) / len(y)
        return loss, np.append(x.T @ err, err.sum())


class Momentum:
    def __init__(self, lr: float, beta: float = 0.9) -> None:
        self.lr, self.beta, self.v = lr, beta, 0.0

    def step(self, theta, grad):
        self.v = self.beta * self.v + grad
        theta -= self.lr * self.v
