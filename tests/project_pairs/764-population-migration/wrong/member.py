from dataclasses import dataclass

import numpy as np


@dataclass
class HParams:
    lr: float
    l2: float

    @classmethod
    def sample(cls, rng):
        return cls(lr=float(10 ** rng.uniform(-2.5, -0.5)), l2=float(10 ** rng.uniform(-5, -2)))

    def perturbed(self, rng):
        lr, l2 = np.array([self.lr, self.l2]) * rng.choice([0.8, 1.25], size=2)
        return HParams(float(lr), float(l2))


class Member:
    """Softmax regression on random Fourier features with its own hyperparameters."""

    def __init__(self, hparams, rng, n_inputs=16, n_features=2048, n_classes=10, task_seed=0):
        task = np.random.default_rng(task_seed)
        self.proj = task.normal(size=(n_inputs, n_features))
        self.phase = task.uniform(0, 2 * np.pi, size=n_features)
        self.teacher = task.normal(size=(n_inputs, n_classes))
        self.val = self._draw(task, 512)
        self.rng = rng
        self.hparams = hparams
        self.w = np.zeros((n_features, n_classes))

    def _draw(self, rng, n):
        x = rng.normal(size=(n, self.proj.shape[0]))
        features = np.cos(0.2 * x @ self.proj + self.phase) * np.sqrt(2.0 / self.proj.shape[1])
        return features, np.argmax(x @ self.teacher, axis=1)

    @staticmethod
    def _softmax(z):
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def train(self, n_steps, batch=64):
        for _ in range(n_steps):
            x, y = self._draw(self.rng, batch)
            p = self._softmax(x @ self.w)
            p[np.arange(batch), y] -= 1.0
            self.w -= self.hparams.lr * 10.0 * (x.T @ p / batch + self.hparams.l2 * self.w)

    def score(self):
        x, y = self.val
        return float(np.mean(np.argmax(x @ self.w, axis=1) == y))
