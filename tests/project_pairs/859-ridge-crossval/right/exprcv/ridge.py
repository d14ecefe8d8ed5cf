"""Ridge regression."""
import numpy as np
from scipy import linalg


class Ridge:
    def __init__(self, alpha):
        self.alpha = alpha

    def fit(self, x, y):
        self.x_mean = x.mean(axis=0)
        self.y_mean = y.mean()
        xc = x - self.x_mean
        gram = xc.T @ xc + self.alpha * np.eye(x.shape[1])
        self.weight = linalg.solve(gram, xc.T @ (y - self.y_mean),
                                   assume_a="pos")
        return self

    def predict(self, x):
        return self.y_mean + (x - self.x_mean) @ self.weight


def r_squared(y, predicted):
    return 1.0 - np.sum((y - predicted) ** 2) / np.sum((y - y.mean()) ** 2)
