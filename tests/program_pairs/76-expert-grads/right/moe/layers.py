import numpy as np


class Expert:
    def __init__(self, rng, dim):
        self.w = 0.3 * rng.normal(size=(dim, dim))
        self.grad = None

    def forward(self, x):
        self.x = x
        return x @ self.w

    def backward(self, dy):
        g = self.x.T @ dy
        self.grad = g if self.grad is None else self.grad + g


class MixtureOfExperts:
    """Hard routing by the angle of the first two features."""

    def __init__(self, n_experts, dim, seed=11):
        rng = np.random.default_rng(seed)
        self.experts = [Expert(rng, dim) for _ in range(n_experts)]

    def route(self, x):
        angle = np.arctan2(x[:, 1], x[:, 0]) + np.pi
        k = len(self.experts)
        return np.minimum((angle / (2 * np.pi) * k).astype(int), k - 1)

    def loss_and_backward(self, x, target):
        choice = self.route(x)
        loss = 0.0
        for k, expert in enumerate(self.experts):
            pick = choice == k
            if not pick.any():
                continue
            y = expert.forward(x[pick])
            diff = y - target[pick]
            loss += float((diff ** 2).sum())
            expert.backward(2 * diff / len(x))
        return loss / len(x)

    def zero_grad(self):
        for e in self.experts:
            e.grad = None
