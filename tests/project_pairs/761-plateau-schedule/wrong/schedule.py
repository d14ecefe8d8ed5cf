"""Plateau-driven learning rate and early stopping."""
import math


class ReduceLROnPlateau:
    def __init__(self, lr, factor=0.5, patience=2, min_lr=1e-4, threshold=1e-3):
        self.lr = lr
        self.factor = factor
        self.patience = patience
        self.min_lr = min_lr
        self.threshold = threshold
        self.best = math.inf
        self.bad_epochs = 0

    def step(self, value):
        if value < self.best * (1.0 - self.threshold):
            self.best = value
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        if self.bad_epochs > self.patience:
            self.lr = max(self.lr * self.factor, self.min_lr)
            self.bad_epochs = 0
        return self.lr


class EarlyStopping:
    def __init__(self, patience=6, min_delta=1e-5):
        self.patience = patience
        self.min_delta = min_delta
        self.best = math.inf
        self.wait = 0

    def step(self, value):
        if value < self.best - self.min_delta:
            self.best = value
            self.wait = 0
        else:
            self.wait += 1
        return self.wait >= self.patience
