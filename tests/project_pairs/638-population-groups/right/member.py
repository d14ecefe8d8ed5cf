"""One member of the population: an autoencoder trained by a group of ranks."""
import dataclasses

import numpy as np

from collectives import average, mean_scalar, sync_weights


@dataclasses.dataclass
class Config:
    lr: float
    noise: float
    code: int = 4


class Member:
    def __init__(self, config, group, n_features, seed):
        self.config = config
        self.group = group
        self.rng = np.random.default_rng([seed, group.Get_rank()])
        scale = 1.0 / np.sqrt(n_features)
        self.weights = [
            self.rng.normal(scale=scale, size=(n_features, config.code)),
            self.rng.normal(scale=0.5, size=(config.code, n_features)),
        ]
        sync_weights(self.weights, comm=group)

    def _loss_and_grads(self, x):
        enc, dec = self.weights
        noisy = x + self.config.noise * self.rng.normal(size=x.shape)
        code = noisy @ enc
        err = code @ dec - x
        scale = 2.0 / x.size
        g_dec = scale * code.T @ err
        g_enc = scale * noisy.T @ (err @ dec.T)
        return float(np.mean(err**2)), [g_enc, g_dec]

    def train(self, x, steps, batch):
        for _ in range(steps):
            rows = self.rng.choice(len(x), batch, replace=False)
            _, grads = self._loss_and_grads(x[rows])
            grads = average(grads, comm=self.group)
            for w, g in zip(self.weights, grads):
                w -= self.config.lr * g

    def score(self, x):
        """Reconstruction error without noise, averaged over the group."""
        enc, dec = self.weights
        return mean_scalar(np.mean((x @ enc @ dec - x) ** 2), comm=self.group)

    def adopt(self, weights, config, rng):
        """Copy a better member and perturb its hyperparameters."""
        self.weights = [w.copy() for w in weights]
        factor = rng.choice([0.8, 1.25])
        self.config = dataclasses.replace(config, lr=config.lr * factor)
