import os

import numpy as np


class Callback:
    def on_fit_start(self, trainer):
        pass

    def on_epoch_end(self, trainer, logs):
        pass


class LrDecay(Callback):
    def __init__(self, factor):
        self.factor = factor

    def on_epoch_end(self, trainer, logs):
        trainer.lr *= self.factor


class Checkpoint(Callback):
    """Keeps the parameters of the best epoch."""

    def __init__(self, path):
        self.path = path
        self.best = np.inf

    def on_epoch_end(self, trainer, logs):
        if not trainer.is_main or logs["valid"] >= self.best:
            return
        self.best = logs["valid"]
        tmp = self.path + ".tmp.npz"
        np.savez(tmp, **trainer.net.params)
        os.replace(tmp, self.path)


class EarlyStopping(Callback):
    def __init__(self, patience=3, min_delta=0.0):
        self.patience = patience
        self.min_delta = min_delta

    def on_fit_start(self, trainer):
        self.best = np.inf
        self.wait = 0

    def on_epoch_end(self, trainer, logs):
        if "valid" not in logs:
            return
        if logs["valid"] < self.best - self.min_delta:
            self.best = logs["valid"]
            self.wait = 0
            return
        self.wait += 1
        if self.wait >= self.patience:
            trainer.stop = True
