import numpy as np


class LinearModel:
    def __init__(self, features):
        self.weights = np.zeros(features)

    def loss_and_grad(self, x, y):
        residual = x @ self.weights - y
        return float((residual ** 2).mean()), 2.0 * x.T @ residual / len(y)
