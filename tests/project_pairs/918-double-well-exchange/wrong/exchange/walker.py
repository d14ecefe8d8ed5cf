"""Metropolis walker at a fixed inverse temperature."""
import numpy as np


class Walker:
    def __init__(self, model, beta, rng, step=0.6):
        self.model = model
        self.beta = beta
        self.rng = rng
        self.step = step
        self.x = np.ones(model.sites)
        self.accepted = self.tried = 0

    def sweep(self):
        for i in range(self.model.sites):
            new = self.x[i] + self.rng.uniform(-self.step, self.step)
            d = self.model.change(self.x, i, new)
            self.tried += 1
            if d <= 0 or self.rng.random() < np.exp(-self.beta * d):
                self.x[i] = new
                self.accepted += 1

    @property
    def energy(self):
        return self.model.energy(self.x)
