import numpy as np


class QuadraticModel:
    """Linear model on the inputs and their neighbouring products."""

    def __init__(self, features):
        self.theta = np.zeros(2 * features)

    @staticmethod
    def expand(x):
        return np.hstack([x, x * np.roll(x, -1, axis=1)])

    def predict(self, x):
        return self.expand(x) @ self.theta

    def gradient(self, x, y):
        a = self.expand(x)
        return a.T @ (a @ self.theta - y)

    def error(self, x, y):
        return float(np.mean((self.predict(x) - y) ** 2))
