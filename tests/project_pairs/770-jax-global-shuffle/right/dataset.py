import numpy as np


class Digits:
    """Ten noisy prototypes; class k appears 24 * (k + 1) times."""

    n_classes = 10
    n_features = 32

    def __init__(self, seed=0):
        rng = np.random.default_rng(seed)
        prototypes = rng.uniform(0, 4, size=(self.n_classes, self.n_features))
        self.labels = np.repeat(np.arange(self.n_classes), 24 * np.arange(1, self.n_classes + 1)).astype(np.int32)
        self.features = (prototypes[self.labels] + rng.normal(size=(len(self.labels), self.n_features))).astype(
            np.float32
        )

    def __len__(self):
        return len(self.labels)

    def take(self, idx):
        return self.features[idx], self.labels[idx]
