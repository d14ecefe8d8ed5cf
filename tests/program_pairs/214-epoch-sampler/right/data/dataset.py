import numpy as np


class SyntheticDigits:
    """Noisy copies of ten random prototypes."""

    classes = 10
    features = 32

    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        prototypes = rng.choice([-1.0, 1.0], size=(self.classes, self.features))
        self.labels = rng.integers(0, self.classes, n)
        self.images = prototypes[self.labels] + 0.8 * rng.standard_normal((n, self.features))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i], int(self.labels[i])
