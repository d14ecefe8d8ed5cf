"""Stacked profiles; every estimator keeps sums per radial bin."""
from abc import ABC, abstractmethod

import numpy as np


class Profile(ABC):
    label = ""

    def __init__(self, bins):
        self.bins = bins
        self.sums = {key: np.zeros(bins.count) for key in self.keys}

    @property
    @abstractmethod
    def keys(self):
        ...

    @abstractmethod
    def add(self, r, gamma, weight):
        ...

    @abstractmethod
    def value(self):
        ...

    def combine(self, comm):
        """Bring the contributions of all ranks together."""
        for key, local in self.sums.items():
            self.sums[key] = comm.allreduce(local)
        return self.value()


class Counts(Profile):
    label = "pairs"
    keys = ("n",)

    def add(self, r, gamma, weight):
        self.sums["n"] += self.bins.histogram(r, np.ones_like(r))

    def value(self):
        return self.sums["n"]


class MeanShear(Profile):
    label = "shear"
    keys = ("wg", "w")

    def add(self, r, gamma, weight):
        self.sums["wg"] += self.bins.histogram(r, weight * gamma)
        self.sums["w"] += self.bins.histogram(r, weight)

    def value(self):
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.sums["w"] > 0, self.sums["wg"] / self.sums["w"], 0.0)
