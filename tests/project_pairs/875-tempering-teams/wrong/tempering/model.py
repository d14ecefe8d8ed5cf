from abc import ABC, abstractmethod

import numpy as np


class EnergyModel(ABC):
    ndim = 0

    @abstractmethod
    def partial(self, x, part, parts):
        """The share of the energy that part ``part`` of ``parts`` computes."""

    @abstractmethod
    def mean_energy(self, temperature):
        """Exact canonical mean, for checks."""


class OscillatorChain(EnergyModel):
    """Pinned chain of particles with springs between neighbours."""

    def __init__(self, ndim, pin=1.0, spring=0.5):
        self.ndim = ndim
        self.pin = pin
        self.spring = spring

    def partial(self, x, part, parts):
        mine = np.array_split(np.arange(self.ndim), parts)[part]
        before = np.concatenate([[0.0], x[:-1]])[mine]
        stretch = x[mine] - before
        return 0.5 * float(self.pin * x[mine] @ x[mine] + self.spring * stretch @ stretch)

    def mean_energy(self, temperature):
        return 0.5 * self.ndim * temperature
